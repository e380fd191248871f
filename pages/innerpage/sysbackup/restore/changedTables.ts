// Which tables a restore would change. Pure.
import type { NameList, RestoreTable } from '../../../../shared/protocol/api/system/restore.ts';

/** The tables that would change. A table whose rows are only counted changes when their number differs. */
export function changedTables(tables: readonly RestoreTable[]): readonly RestoreTable[] {
  return tables.filter(({ now, inArchive, compared }) =>
    compared === null ? now !== inArchive : compared.added + compared.removed > 0,
  );
}

/** How many names a list leaves out. */
export function unnamed({ names, count }: NameList): number {
  return Math.max(0, count - names.length);
}
