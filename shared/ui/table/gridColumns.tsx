// The table's columns as the grid takes them.

import Box from '@mui/material/Box';
import { GridActionsCell, GridActionsCellItem, type GridColDef } from '@mui/x-data-grid';
import { listText } from '../../i18n/listText.ts';
import type { Column, RowAction } from './column.ts';
import { RowMenuName } from './RowMenuButton.tsx';

/** The column with a row's buttons. */
export const ACTIONS = '__actions';
/** The one column of a narrow window. */
const CARD = '__card';

const MIN_WIDTH_PX = 90;
const ACTION_PX = 40;

export interface GridColumnsOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly widths: Readonly<Record<string, number>>;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** How many of a row's actions stand beside it at most, its menu included. */
  readonly actionCount: number;
  readonly actionsTitle: string;
  /** What the menu of the row with this name is called. */
  readonly menuTitle: (name: string) => string;
}

export function wideColumns<Row extends object>(options: GridColumnsOptions<Row>): GridColDef<Row>[] {
  const shown = options.columns.map((column) => toGridColumn(column, options.widths[column.name]));
  return [...shown, ...actionColumn(options)];
}

/** Every column that is on, below one another in one cell: nothing scrolls sideways on a phone. */
export function narrowColumns<Row extends object>(
  options: GridColumnsOptions<Row>,
  isShown: (column: Column<Row>) => boolean,
): GridColDef<Row>[] {
  const shown = options.columns.filter(isShown);
  const card: GridColDef<Row> = {
    field: CARD,
    headerName: shown[0]?.title ?? '',
    flex: 1,
    minWidth: 120,
    sortable: false,
    hideable: false,
    disableColumnMenu: true,
    valueGetter: (_, row) => listText(shown.map((column) => column.text(row))),
    renderCell: ({ row }) => <Card row={row} columns={shown} />,
  };
  return [card, ...actionColumn(options)];
}

function toGridColumn<Row extends object>(column: Column<Row>, drawnTo: number | undefined): GridColDef<Row> {
  const { name, title, text, render, width = drawnTo, minWidth = MIN_WIDTH_PX, sortable = false, align } = column;
  return {
    field: name,
    headerName: title,
    sortable,
    filterable: false,
    minWidth: Math.min(minWidth, drawnTo ?? minWidth),
    ...(drawnTo === undefined && width === undefined ? { flex: 1 } : { width: drawnTo ?? width ?? minWidth }),
    ...(align === undefined ? {} : { align, headerAlign: align }),
    valueGetter: (_, row) => text(row),
    ...(render === undefined ? {} : { renderCell: ({ row }) => render(row) }),
  };
}

function actionColumn<Row extends object>(options: GridColumnsOptions<Row>): GridColDef<Row>[] {
  const { columns, actions, actionCount, actionsTitle, menuTitle } = options;
  if (actions === undefined) return [];
  return [
    {
      field: ACTIONS,
      type: 'actions',
      headerName: actionsTitle,
      width: Math.max(MIN_WIDTH_PX, actionCount * ACTION_PX + 16),
      resizable: false,
      hideable: false,
      renderCell: (params) => (
        <RowMenuName value={menuTitle(columns[0]?.text(params.row) ?? '')}>
          <GridActionsCell {...params}>{actions(params.row).map(toItem)}</GridActionsCell>
        </RowMenuName>
      ),
    },
  ];
}

function toItem({ icon, label, onClick, disabled = false, inMenu = false }: RowAction) {
  return inMenu ? (
    <GridActionsCellItem key={label} showInMenu label={label} icon={icon} disabled={disabled} onClick={onClick} />
  ) : (
    <GridActionsCellItem key={label} label={label} title={label} icon={icon} disabled={disabled} onClick={onClick} />
  );
}

interface CardProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}

function Card<Row>({ row, columns }: CardProps<Row>) {
  const hasText = ({ text }: Column<Row>): boolean => text(row) !== '';
  return (
    <Box sx={CARD_BOX}>
      {columns.filter(hasText).map(({ name, title, text, render }, at) => (
        <Box key={name} sx={{ minWidth: 0, overflowWrap: 'anywhere', fontWeight: at === 0 ? 600 : 400 }}>
          {at > 0 && <Box sx={{ fontSize: 11, lineHeight: 1.3, color: 'text.secondary' }}>{title}</Box>}
          {render === undefined ? text(row) : render(row)}
        </Box>
      ))}
    </Box>
  );
}

const CARD_BOX = {
  display: 'grid',
  // Not stretched: what fills a table's cell by its height would else be as high as its own title and itself.
  alignItems: 'start',
  gap: 0.5,
  py: 1,
  width: '100%',
  lineHeight: 1.4,
  whiteSpace: 'normal',
} as const;
