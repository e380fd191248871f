import type { GridColDef } from '@mui/x-data-grid';
import { useMemo, useRef } from 'react';

/**
 * Gives the grid the same columns while their names, titles and sizes are the same. It draws all rows a second time for any others, and
 * pages make theirs anew each time they are drawn. What a cell shows is asked of the columns that were made last: the grid draws its
 * cells whenever the table is drawn.
 */
export function useSteadyColumns<Row extends object>(made: readonly GridColDef<Row>[]): GridColDef<Row>[] {
  const latest = useRef(made);
  latest.current = made;
  const shape = JSON.stringify(made, (_, value: unknown) => (typeof value === 'function' ? 'function' : value));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another shape is the reason for other columns
  return useMemo(() => latest.current.map((column, at) => askingLatest(column, () => latest.current[at])), [shape]);
}

function askingLatest<Row extends object>(
  column: GridColDef<Row>,
  latest: () => GridColDef<Row> | undefined,
): GridColDef<Row> {
  const { valueGetter, renderCell } = column;
  return {
    ...column,
    ...(valueGetter && { valueGetter: (...given) => latest()?.valueGetter?.(...given) }),
    ...(renderCell && { renderCell: (params) => latest()?.renderCell?.(params) }),
  };
}
