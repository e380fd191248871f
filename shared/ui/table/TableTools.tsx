// The tools above a table: search, filters, the way to a date, and actions on the whole list.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUserZone } from '../../time/userZone.ts';
import { zoneLabel } from '../../time/zones.ts';
import { ChunkBoundary, lazyPart } from '../chunks.tsx';
import { ColumnsButton } from './ColumnsButton.tsx';
import { CsvButton } from './CsvButton.tsx';
import { type Column, isShown } from './column.ts';
import { SortSelect } from './SortSelect.tsx';
import { TableSearch } from './TableSearch.tsx';
import { listQueryOf } from './tableState.ts';
import type { Table } from './useTable.ts';

// Most tables are sorted by a name, and the date picker weighs a good part of the table.
const JumpToDate = lazyPart('JumpToDate', async () => (await import('./JumpToDate.tsx')).JumpToDate);

export interface TableToolsProps<Row> {
  readonly table: Table<Row>;
  readonly columns: readonly Column<Row>[];
  readonly filters?: ReactNode;
  readonly toolbar?: ReactNode;
  readonly searchHint?: string;
  readonly csvPath?: string;
  readonly hasTimes?: boolean;
  readonly isNarrow: boolean;
}

export function TableTools<Row>(props: TableToolsProps<Row>) {
  const { table, columns, filters, toolbar, searchHint, csvPath, isNarrow } = props;
  const { setUp, choice } = table;
  const listed = columns.map((column) => ({ ...column, isShown: isShown(column, setUp) }));
  const sortable = columns.filter((column) => column.sortable === true);
  const isByTimestamp = columns.some(
    ({ name, isTimestamp }) => isTimestamp === true && name === choice.sorting?.column,
  );
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 1.5 }}>
      {table.hasOwnSearch && <TableSearch value={table.typed} onChange={table.setSearch} hint={searchHint} />}
      {filters}
      {isNarrow && sortable.length > 0 && (
        <SortSelect columns={sortable} sorting={choice.sorting} onChange={table.setSorting} />
      )}
      {isByTimestamp && (
        <ChunkBoundary>
          <Suspense fallback={<Box sx={PICKER_ROOM} />}>
            <JumpToDate day={table.paging.jump?.day ?? ''} onJump={table.jumpToDay} />
          </Suspense>
        </ChunkBoundary>
      )}
      <Box sx={WHOLE_LIST}>
        {props.hasTimes === true && <ZoneNote />}
        <ColumnsButton
          columns={listed}
          onChange={(name, shown) => table.changeSetUp({ shown: { ...setUp.shown, [name]: shown } })}
        />
        {csvPath !== undefined && <CsvButton path={csvPath} query={listQueryOf(choice)} />}
        {toolbar}
      </Box>
    </Box>
  );
}

function ZoneNote() {
  const { t } = useTranslation('Table');
  const zone = useUserZone();
  return (
    <Typography component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
      {t('Time zone: {{zone}}', { zone: zoneLabel(zone, Date.now()) })}
    </Typography>
  );
}

const WHOLE_LIST = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, ml: 'auto' } as const;
// The same size as the picker that is being loaded, so that nothing moves when it comes.
const PICKER_ROOM = { width: { xs: '100%', sm: 180 }, height: 40 } as const;
