import type { TableSizeStore } from '../../store/system/tableSizes.ts';
import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeTable } from '../rules/tableRule.ts';

/** Rows don't double in five minutes, and to look at each table takes the reading connection some time. */
const FRESH_MS = 5 * 60_000;

export interface TableSourceDeps {
  readonly store: TableSizeStore;
  readonly mostRows: number;
  readonly now: () => number;
}

export function createTableSource({ store, mostRows, now }: TableSourceDeps): HealthSource {
  let known: { readonly atMs: number; readonly sizes: ReturnType<TableSizeStore['read']> } | undefined;
  return {
    kind: 'tables',
    read: async () => {
      if (known === undefined || now() - known.atMs >= FRESH_MS) {
        const sizes = store.read();
        known = { atMs: now(), sizes };
        sizes.catch(() => {
          // The next one tries again.
          known = undefined;
        });
      }
      const sizes = await known.sizes;
      return sizes.map(({ table, ...size }) => checkOf('tables', table, judgeTable(size, mostRows)));
    },
  };
}
