// Which tables a restore would change. Pure.
import type { NameList, RestoreTable } from '../../../../shared/protocol/api/system/restore.ts';

/** Those whose rows are only counted change when there is another number of them. */
export function changedTables(tables: readonly RestoreTable[]): readonly RestoreTable[] {
  return tables.filter(({ now, inArchive, compared }) =>
    compared === null ? now !== inArchive : compared.added + compared.removed > 0,
  );
}

/** How many a list of names leaves out. */
export function unnamed({ names, count }: NameList): number {
  return Math.max(0, count - names.length);
}
