import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useIsNarrow } from '../../../shared/ui/useIsNarrow.ts';

interface FactColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

export interface FactTableProps {
  readonly label: string;
  readonly columns: readonly FactColumn[];
  /** Rows are never reordered: each one is identified by its place. It has as many cells as there are columns. */
  readonly rows: readonly (readonly string[])[];
}

/** A short table of texts; on a narrow window a list, in which each row's cells stand below one another. */
export function FactTable({ label, columns, rows }: FactTableProps) {
  const isNarrow = useIsNarrow();
  if (isNarrow) return <FactList label={label} columns={columns} rows={rows} />;
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={label}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map(({ title, align = 'left' }) => (
              <TableCell key={title} align={align}>
                {title}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {[...rows.entries()].map(([at, cells]) => (
            <TableRow key={at}>
              {columns.map(({ title, align = 'left' }, column) => (
                <TableCell
                  key={title}
                  align={align}
                  sx={{ overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}
                >
                  {cells[column]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

/** Cells without a text are left out. */
function FactList({ label, columns, rows }: FactTableProps) {
  return (
    <Box component="ul" aria-label={label} sx={LIST}>
      {[...rows.entries()].map(([at, cells]) => (
        <Box component="li" key={at} sx={ROW}>
          {columns.map(
            ({ title }, column) =>
              cells[column] !== '' && (
                <Box key={title} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Box component="span" sx={{ color: 'text.secondary', mr: 1 }}>
                    {title}
                  </Box>
                  {cells[column]}
                </Box>
              ),
          )}
        </Box>
      ))}
    </Box>
  );
}

const LIST = { listStyle: 'none', m: 0, p: 0, fontSize: 14 } as const;
const ROW = { display: 'grid', gap: 0.25, py: 1, borderTop: 1, borderColor: 'divider' } as const;
