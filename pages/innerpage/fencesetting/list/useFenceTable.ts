import { useMemo, useState } from 'react';
import { listFences } from '../../../../shared/api/fences.ts';
import type { Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import type { FenceKind } from '../../../../shared/protocol/fences/fenceWords.ts';
import { type Table, useTable } from '../../../../shared/ui/table/useTable.ts';

export interface FenceTable {
  readonly table: Table<Fence>;
  /** '' for all. */
  readonly kind: FenceKind | '';
  readonly setKind: (kind: FenceKind | '') => void;
}

export function useFenceTable(): FenceTable {
  const [kind, setKind] = useState<FenceKind | ''>('');
  const table = useTable({
    name: 'fences',
    load: listFences,
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => ({ kind }), [kind]),
    changedBy: ['fence'],
  });
  return { table, kind, setKind };
}
