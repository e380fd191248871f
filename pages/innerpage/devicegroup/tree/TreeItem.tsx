import { useDraggable, useDroppable } from '@dnd-kit/core';
import ChevronRight from '@mui/icons-material/ChevronRight';
import ExpandMore from '@mui/icons-material/ExpandMore';
import FolderIcon from '@mui/icons-material/FolderOutlined';
import AllIcon from '@mui/icons-material/LanOutlined';
import MoreVert from '@mui/icons-material/MoreVert';
import NobodyIcon from '@mui/icons-material/PersonOffOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chosen, DropZone, TreeRow } from './treeModel.ts';

export const ROW_PX = 36;
const INDENT_PX = 16;

export interface TreeItemProps {
  readonly row: TreeRow;
  readonly style: CSSProperties;
  readonly isChosen: boolean;
  /** The one row that Tab reaches. */
  readonly isCurrent: boolean;
  readonly zone: DropZone | undefined;
  readonly onChoose: () => void;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
  readonly onMenu: (anchor: HTMLElement) => void;
}

export function TreeItem(props: TreeItemProps) {
  const { row, style, isChosen, isCurrent, zone, onChoose, onFocus, onToggle, onMenu } = props;
  const { t } = useTranslation('DeviceGroup');
  const name = useRowName()(row);
  const { setNodeRef: setDropRef } = useDroppable({ id: String(row.id), data: { id: row.id } });
  const drag = useDraggable({ id: `drag:${row.id}`, data: { id: row.id }, disabled: row.group === undefined });
  const setRefs = (element: HTMLElement | null) => {
    setDropRef(element);
    drag.setNodeRef(element);
  };
  const label = t('{{name}}, devices: {{count}}', { name, count: row.devices });
  return (
    <Box
      ref={setRefs}
      role="treeitem"
      id={treeItemId(row.id)}
      aria-label={row.group?.owned === false ? `${label}, ${t('not in a member group')}` : label}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.count}
      aria-selected={isChosen}
      {...(row.hasChildren ? { 'aria-expanded': row.isOpen } : {})}
      tabIndex={isCurrent ? 0 : -1}
      {...drag.listeners}
      onClick={onChoose}
      onFocus={onFocus}
      onContextMenu={(event) => {
        if (row.group === undefined) return;
        event.preventDefault();
        onMenu(event.currentTarget);
      }}
      style={{ ...style, height: ROW_PX, paddingLeft: (row.level - 1) * INDENT_PX }}
      data-zone={zone}
      sx={ROW}
    >
      <Box component="span" aria-hidden="true" sx={ARROW} onClick={(event) => toggle(event, row, onToggle)}>
        {row.hasChildren && (row.isOpen ? <ExpandMore fontSize="small" /> : <ChevronRight fontSize="small" />)}
      </Box>
      <RowIcon row={row} />
      <Box component="span" sx={NAME} title={name}>
        {name}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 12, pr: row.group === undefined ? 1 : 0 }}>
        {row.devices}
      </Box>
      {row.group !== undefined && (
        <IconButton
          size="small"
          tabIndex={-1}
          aria-label={t('Menu of {{name}}', { name })}
          onClick={(event) => {
            event.stopPropagation();
            onMenu(event.currentTarget);
          }}
        >
          <MoreVert fontSize="small" />
        </IconButton>
      )}
    </Box>
  );
}

function RowIcon({ row }: { readonly row: TreeRow }) {
  const { t } = useTranslation('DeviceGroup');
  if (row.id === 'all') return <AllIcon fontSize="small" color="action" aria-hidden="true" />;
  if (row.group?.owned !== false) return <FolderIcon fontSize="small" color="action" aria-hidden="true" />;
  return (
    <Tooltip title={t('Not in a member group. Only administrators can see it.')}>
      <NobodyIcon fontSize="small" color="warning" aria-hidden="true" />
    </Tooltip>
  );
}

export function useRowName(): (row: Pick<TreeRow, 'id' | 'group'>) => string {
  const { t } = useTranslation('DeviceGroup');
  return ({ id, group }) => group?.name ?? (id === 'all' ? t('All devices') : t('Ungrouped'));
}

export function treeItemId(id: Chosen): string {
  return `group-${id}`;
}

function toggle(event: { stopPropagation(): void }, row: TreeRow, onToggle: () => void): void {
  if (!row.hasChildren) return;
  event.stopPropagation();
  onToggle();
}

const ROW = {
  position: 'absolute',
  left: 0,
  right: 0,
  display: 'flex',
  alignItems: 'center',
  gap: 0.75,
  cursor: 'pointer',
  borderRadius: 1,
  fontSize: 14,
  touchAction: 'manipulation',
  userSelect: 'none',
  '&:hover': { backgroundColor: 'action.hover' },
  '&[aria-selected="true"]': { backgroundColor: 'action.selected', fontWeight: 650 },
  '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
  '&[data-zone="into"]': { outline: '2px dashed', outlineColor: 'primary.main', outlineOffset: -2 },
  '&[data-zone="before"]': {
    boxShadow: (theme: { palette: { primary: { main: string } } }) => `0 -2px 0 ${theme.palette.primary.main}`,
  },
} as const;
const ARROW = { width: 22, height: 22, flexShrink: 0, display: 'grid', placeItems: 'center' } as const;
const NAME = { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
