// A table of records on the grid, whose paging, sorting and filters are the gateway's.
import Box from '@mui/material/Box';
import {
  DataGrid,
  type DataGridProps,
  type GridApi,
  type GridRowSelectionModel,
  useGridApiRef,
} from '@mui/x-data-grid';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../i18n/start.ts';
import { useIsNarrow } from '../useIsNarrow.ts';
import { type Column, isShown, type RowAction } from './column.ts';
import { ACTIONS, narrowColumns, wideColumns } from './gridColumns.tsx';
import { GRID_TEXTS } from './gridTexts.ts';
import { Pager, type PagerProps } from './Pager.tsx';
import { RowMenuButton } from './RowMenuButton.tsx';
import { EmptyTable, TableFailure } from './TableNotices.tsx';
import { TableTools } from './TableTools.tsx';
import { isNarrowed } from './tableState.ts';
import type { Table } from './useTable.ts';

export interface DataTableProps<Row> {
  readonly table: Table<Row>;
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string | number;
  /** Click, Enter: the row's details or its form. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** The row whose details are shown. */
  readonly openedId?: string | number | undefined;
  /** What can be done with a row, the same for every row. */
  readonly actions?: (row: Row) => readonly RowAction[];
  /** How many of them stand beside a row, its menu included; 2 when left out. */
  readonly actionCount?: number;
  /** Selected rows, for actions on several; without it rows cannot be selected. */
  readonly selection?: readonly (string | number)[] | undefined;
  readonly onSelect?: (ids: readonly (string | number)[]) => void;
  /** Filters, beside the search. */
  readonly filters?: ReactNode;
  /** Clears the filters. */
  readonly onClearFilters?: () => void;
  /** Actions on the whole list: `Add`. */
  readonly toolbar?: ReactNode;
  /** What to do when there is nothing yet. */
  readonly emptyHint: string;
  readonly emptyAction?: ReactNode;
  readonly searchHint?: string;
  /** The list call's path: turns the export on. */
  readonly csvPath?: string;
  /** Some cells have a second line, such as the reason of a state. */
  readonly hasTwoLines?: boolean;
  /** Some columns are moments: the zone that they are in is said once, above the table. */
  readonly hasTimes?: boolean;
}

const NARROW_PAGE_ROWS_PX = 120;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { table, columns, onOpen, emptyHint, emptyAction, onClearFilters } = props;
  const { list, choice, setUp } = table;
  const { rows } = list.page;
  // Makes the component follow a change of language.
  useTranslation('Table');
  const isNarrow = useIsNarrow();
  const clear = () => {
    table.setSearch('');
    onClearFilters?.();
  };
  const canClear = table.hasOwnSearch || onClearFilters !== undefined;
  const gridColumns = useGridColumns(props, isNarrow);
  const sorting = useGridSorting(table);
  const apiRef = useGridApiRef();
  useTopOfPage(apiRef, JSON.stringify(choice.place));
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, gap: 1 }}>
      <TableTools {...props} isNarrow={isNarrow} />
      {list.failure !== undefined && (
        <TableFailure failure={list.failure} hasRows={rows.length > 0} onRetry={table.reload} />
      )}
      <Box sx={isNarrow ? { position: 'relative' } : WIDE_BOX} aria-busy={table.isBusy}>
        <DataGrid<Row>
          {...FIXED}
          {...selectionOf(props)}
          apiRef={apiRef}
          label={props.label}
          rows={rows as Row[]}
          columns={gridColumns}
          getRowId={props.rowId}
          rowCount={rows.length}
          loading={list.isLoading}
          slots={SLOTS}
          slotProps={{ ...SLOT_PROPS, pagination: pagerOf(table) }}
          localeText={GRID_TEXTS[currentLocale()]}
          pageSizeOptions={[choice.pageSize]}
          paginationModel={{ page: 0, pageSize: choice.pageSize }}
          {...(isNarrow ? {} : sorting)}
          columnVisibilityModel={
            isNarrow ? {} : Object.fromEntries(columns.map((each) => [each.name, isShown(each, setUp)]))
          }
          onColumnWidthChange={({ colDef, width }) =>
            table.changeSetUp({ widths: { ...setUp.widths, [colDef.field]: Math.round(width) } })
          }
          {...(onOpen === undefined ? {} : opening(onOpen))}
          getRowClassName={({ id }) => (id === props.openedId ? 'opened-row' : '')}
          {...(props.hasTwoLines === true ? TWO_LINES : {})}
          {...(isNarrow ? NARROW_GRID : {})}
          sx={onOpen === undefined ? GRID : OPENING_GRID}
        />
        {list.isKnown && rows.length === 0 && (
          <Box sx={OVER_GRID}>
            <EmptyTable
              isNarrowed={isNarrowed(choice)}
              onClearDay={table.paging.jump === undefined ? undefined : () => table.jumpToDay('')}
              hint={emptyHint}
              action={emptyAction}
              onClear={canClear ? clear : undefined}
            />
          </Box>
        )}
      </Box>
    </Box>
  );
}

declare module '@mui/x-data-grid' {
  interface PaginationPropsOverrides extends PagerProps {}
}

// The grid knows only the page that it is given; the pager knows which page of the list that is.
const SLOTS: NonNullable<DataGridProps['slots']> = {
  noRowsOverlay: () => null,
  noResultsOverlay: () => null,
  pagination: Pager,
  baseIconButton: RowMenuButton,
};

function pagerOf<Row>({ paging, view, goTo, changeSetUp }: Table<Row>): PagerProps {
  return { paging, view, goTo, setPageSize: (pageSize) => changeSetUp({ pageSize }) };
}

/** Scrolls to the first row of another page. */
function useTopOfPage(apiRef: RefObject<GridApi | null>, place: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is the reason to scroll
  useEffect(() => apiRef.current?.scroll({ top: 0 }), [apiRef, place]);
}

function useGridColumns<Row extends object>(props: DataTableProps<Row>, isNarrow: boolean) {
  const { table, columns, actions, actionCount = 2 } = props;
  const { t } = useTranslation('Table');
  const texts = {
    actionsTitle: t('Actions'),
    menuTitle: (name: string) => t('More actions for {{name}}', { name }),
  };
  const options = { columns, widths: table.setUp.widths, actions, actionCount, ...texts };
  return isNarrow ? narrowColumns(options, (column) => isShown(column, table.setUp)) : wideColumns(options);
}

function useGridSorting<Row>(table: Table<Row>): Pick<DataGridProps, 'sortModel' | 'onSortModelChange'> {
  const { column, descending = false } = table.choice.sorting ?? {};
  // The same list while the order is the same: the grid takes any other list for another order and goes to its first page.
  const sortModel = useMemo(
    () => (column === undefined ? [] : [{ field: column, sort: descending ? ('desc' as const) : ('asc' as const) }]),
    [column, descending],
  );
  return {
    sortModel,
    onSortModelChange: ([first]) =>
      table.setSorting(first === undefined ? undefined : { column: first.field, descending: first.sort === 'desc' }),
  };
}

/** Boxes to select rows with, if the page does something with selected rows. */
function selectionOf<Row extends object>({
  selection,
  onSelect,
  table,
  rowId,
}: DataTableProps<Row>): Partial<DataGridProps<Row>> {
  if (selection === undefined) return { rowSelection: false };
  const choose = ({ type, ids }: GridRowSelectionModel) => {
    const inView = table.list.page.rows.map(rowId);
    // "All" means all that can be seen: users don't mean rows that they have not seen.
    onSelect?.(type === 'include' ? [...ids] : inView.filter((id) => !ids.has(id)));
  };
  return {
    checkboxSelection: true,
    disableRowSelectionOnClick: true,
    disableRowSelectionExcludeModel: true,
    keepNonExistentRowsSelected: true,
    rowSelectionModel: { type: 'include', ids: new Set(selection) },
    onRowSelectionModelChange: choose,
  };
}

function opening<Row extends object>(onOpen: (row: Row) => void): Partial<DataGridProps<Row>> {
  return {
    onCellClick: ({ field, row }) => {
      if (!isOwnCell(field)) onOpen(row);
    },
    onCellKeyDown: ({ field, row }, event: KeyboardEvent) => {
      if (event.key !== 'Enter' || isOwnCell(field) || event.target !== event.currentTarget) return;
      event.preventDefault();
      onOpen(row);
    },
  };
}

/** Cells that have buttons of their own. */
function isOwnCell(field: string): boolean {
  return field === ACTIONS || field === '__check__';
}

// Its bar is no child that a grid may have; the box around the grid says that it is busy.
const SLOT_PROPS = { loadingOverlay: { 'aria-hidden': true } } as const;

const FIXED = {
  paginationMode: 'server',
  sortingMode: 'server',
  // There is no third, unsorted state: a table that is sorted from the start would make it the order that it already has.
  sortingOrder: ['asc', 'desc'],
  filterMode: 'server',
  disableColumnMenu: true,
  disableColumnFilter: true,
  density: 'compact',
  // All columns: the buttons at the end of a row stay in view however far it is scrolled.
  columnBufferPx: 4_000,
} as const;

/** Height before the density, which takes off three tenths. */
const TWO_LINES = { rowHeight: 76 } as const;

const NARROW_GRID = {
  autoHeight: true,
  getRowHeight: () => 'auto' as const,
  getEstimatedRowHeight: () => NARROW_PAGE_ROWS_PX,
  columnHeaderHeight: 0,
} as const;

// At least some rows, where a page leaves the table no room at all.
const WIDE_BOX = { position: 'relative', flex: 1, minHeight: 320, display: 'flex', flexDirection: 'column' } as const;

// Over the rows, below the heads and above the foot, which stay usable.
const OVER_GRID = { position: 'absolute', inset: '40px 0 53px', zIndex: 1, pointerEvents: 'none' } as const;

const GRID = {
  flex: 1,
  minHeight: 0,
  backgroundColor: 'background.paper',
  '--DataGrid-overlayHeight': '160px',
  '& .MuiDataGrid-columnHeaderTitle': { fontWeight: 650 },
  [`& [data-field="${ACTIONS}"]`]: { position: 'sticky', right: 0, zIndex: 2, backgroundColor: 'background.paper' },
  // The same look as the rest of the row under the pointer, but still opaque: scrolled cells lie beneath.
  [`& .MuiDataGrid-row:hover [data-field="${ACTIONS}"]`]: {
    backgroundImage: 'linear-gradient(var(--mui-palette-action-hover), var(--mui-palette-action-hover))',
  },
  '& .opened-row': { backgroundColor: 'action.selected' },
  '& .MuiDataGrid-cell:focus, & .MuiDataGrid-columnHeader:focus': { outlineOffset: -2 },
} as const;
const OPENING_GRID = { ...GRID, '& .MuiDataGrid-row': { cursor: 'pointer' } } as const;
