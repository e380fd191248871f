// The tree of groups: chosen by click and arrows, moved by mouse and by Alt with arrows, each with a menu.
import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GroupNode, GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import { ROW_PX, TreeItem, treeItemId, useRowName } from './TreeItem.tsx';
import {
  type Chosen,
  type DropZone,
  dropPlace,
  type NewPlace,
  rowTyped,
  type Step,
  stepPlace,
  type TreeRow,
  treeRows,
  zoneAt,
} from './treeModel.ts';

export interface GroupTreeViewProps {
  readonly tree: GroupTree;
  readonly chosen: Chosen;
  readonly onChoose: (id: Chosen) => void;
  readonly onMove: (group: GroupNode, place: NewPlace) => void;
  readonly onMenu: (group: GroupNode, anchor: HTMLElement) => void;
  readonly onRename: (group: GroupNode) => void;
  readonly onRemove: (group: GroupNode) => void;
}

interface Over {
  readonly id: Chosen;
  readonly zone: DropZone;
}

export function GroupTreeView(props: GroupTreeViewProps) {
  const { tree, chosen, onChoose, onMenu } = props;
  const { t } = useTranslation('DeviceGroup');
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => treeRows(tree, closed), [tree, closed]);
  const [current, setCurrent] = useState<Chosen>(chosen);
  const shownCurrent = rows.some(({ id }) => id === current) ? current : 'all';
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (at) => rows[at]?.id ?? at,
  });
  const focus = useFocusRow(rows, virtualizer.scrollToIndex);
  const drag = useDragging(props);
  const type = useTyping();
  const nameOf = useRowName();
  const toggle = ({ id }: TreeRow, open?: boolean) => {
    if (typeof id === 'number') setClosed((before) => toggled(before, id, open));
  };
  const go = (id: Chosen) => {
    setCurrent(id);
    focus(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget && !(event.target as HTMLElement).matches('[role=treeitem]')) return;
    if (handleKey(event, { rows, current: shownCurrent, go, toggle, type, nameOf, ...props })) event.preventDefault();
  };
  return (
    <DndContext
      {...drag.context}
      accessibility={{
        ...SILENT,
        screenReaderInstructions: { draggable: t('Press Alt + arrow keys to move a group.') },
      }}
    >
      <Box ref={box} sx={{ flex: 1, minHeight: 0, overflow: 'auto' }}>
        <Box
          role="tree"
          aria-label={t('Device groups')}
          onKeyDown={onKeyDown}
          style={{ position: 'relative', height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TreeItem
                key={row.id}
                row={row}
                // Placed by its position and not by a transform, which is ignored when the targets of a drag are measured.
                style={{ top: start }}
                isChosen={row.id === chosen}
                isCurrent={row.id === shownCurrent}
                zone={drag.over?.id === row.id ? drag.over.zone : undefined}
                onChoose={() => {
                  setCurrent(row.id);
                  onChoose(row.id);
                }}
                // A drag moves the focus too: keys mean the row that has it, whatever was current before.
                onFocus={() => setCurrent(row.id)}
                onToggle={() => toggle(row)}
                onMenu={(anchor) => row.group !== undefined && onMenu(row.group, anchor)}
              />
            );
          })}
        </Box>
      </Box>
    </DndContext>
  );
}

const nothing = (): undefined => undefined;
/** What a mouse drags needs no words; what a move has done is said by the page. */
const SILENT = {
  announcements: { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing },
};

function toggled(closed: ReadonlySet<number>, id: number, open = closed.has(id)): ReadonlySet<number> {
  const next = new Set(closed);
  if (open) next.delete(id);
  else next.add(id);
  return next;
}

/** A row that is out of view is not there yet: the focus follows once it is. */
function useFocusRow(rows: readonly TreeRow[], scrollTo: (index: number) => void): (id: Chosen) => void {
  const wanted = useRef<Chosen>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const element = document.getElementById(treeItemId(wanted.current));
    if (element === null) return;
    wanted.current = undefined;
    element.focus();
  });
  return (id) => {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) scrollTo(index);
    const element = document.getElementById(treeItemId(id));
    if (element === null) wanted.current = id;
    else element.focus();
  };
}

const TYPING_PAUSE_MS = 700;

/** Letters that follow one another soon are one word. */
function useTyping(): (letter: string) => string {
  const typed = useRef({ text: '', atMs: 0 });
  return (letter) => {
    const atMs = performance.now();
    const goesOn = atMs - typed.current.atMs < TYPING_PAUSE_MS;
    typed.current = { text: goesOn ? typed.current.text + letter : letter, atMs };
    return typed.current.text;
  };
}

interface Keys extends GroupTreeViewProps {
  readonly rows: readonly TreeRow[];
  readonly current: Chosen;
  readonly go: (id: Chosen) => void;
  readonly toggle: (row: TreeRow, open?: boolean) => void;
  /** What was typed up to now with this letter. */
  readonly type: (letter: string) => string;
  readonly nameOf: (row: TreeRow) => string;
}

const STEPS: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' };

function handleKey(event: KeyboardEvent, keys: Keys): boolean {
  const at = keys.rows.findIndex(({ id }) => id === keys.current);
  const row = keys.rows[at];
  if (row === undefined || event.ctrlKey || event.metaKey) return false;
  if (event.altKey) return moveByKey(event.key, row, keys);
  if (event.key === 'F10' ? event.shiftKey : event.key === 'ContextMenu') {
    const element = document.getElementById(treeItemId(row.id));
    if (row.group !== undefined && element !== null) keys.onMenu(row.group, element);
    return true;
  }
  return actOnRow(event.key, row, keys) || walk(event.key, at, keys) || find(event.key, at, keys);
}

/** Letters go to the group that begins with them: with 200 groups nobody walks by arrows. */
function find(key: string, at: number, { rows, go, type, nameOf }: Keys): boolean {
  if ([...key].length !== 1) return false;
  const row = rows[rowTyped(rows, at, type(key), nameOf) ?? -1];
  if (row !== undefined) go(row.id);
  return true;
}

function moveByKey(key: string, { group }: TreeRow, keys: Keys): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  const place = group === undefined ? undefined : stepPlace(keys.tree.groups, group, step);
  if (group !== undefined && place !== undefined) keys.onMove(group, place);
  return true;
}

function actOnRow(key: string, row: TreeRow, keys: Keys): boolean {
  switch (key) {
    case 'Enter':
    case ' ':
      keys.onChoose(row.id);
      return true;
    case 'F2':
      if (row.group !== undefined) keys.onRename(row.group);
      return true;
    case 'Delete':
      if (row.group !== undefined) keys.onRemove(row.group);
      return true;
    default:
      return false;
  }
}

function walk(key: string, at: number, { rows, go, toggle }: Keys): boolean {
  const row = rows[at];
  const to = (index: number): boolean => {
    const next = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (next !== undefined) go(next.id);
    return true;
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row?.hasChildren !== true) return true;
      if (row.isOpen) return to(at + 1);
      toggle(row, true);
      return true;
    case 'ArrowLeft': {
      if (row?.isOpen === true) toggle(row, false);
      else to(rows.findIndex(({ id }) => id === row?.group?.parent));
      return true;
    }
    default:
      return false;
  }
}

/** A click is not a drag, and neither is a finger that scrolls. */
function useDragging({ tree, onMove }: GroupTreeViewProps) {
  const [over, setOver] = useState<Over>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  );
  const overOf = ({ active, over: target }: DragMoveEvent | DragEndEvent): Over | undefined => {
    const rect = active.rect.current.translated;
    const dragged = idOf(active.data.current);
    const id = idOf(target?.data.current);
    if (target === null || rect === null || typeof dragged !== 'number' || id === undefined) return undefined;
    const zone = zoneAt(rect.top + rect.height / 2, target.rect);
    return dropPlace(tree.groups, dragged, { over: id, zone }) === undefined ? undefined : { id, zone };
  };
  const onDragEnd = (event: DragEndEvent) => {
    const end = overOf(event);
    const group = tree.groups.find(({ id }) => id === idOf(event.active.data.current));
    setOver(undefined);
    if (group === undefined || end === undefined) return;
    const place = dropPlace(tree.groups, group.id, { over: end.id, zone: end.zone });
    if (place !== undefined) onMove(group, place);
  };
  const onDragMove = (event: DragMoveEvent) => setOver(overOf(event));
  const onDragCancel = () => setOver(undefined);
  return { over, context: { sensors, onDragMove, onDragEnd, onDragCancel } };
}

function idOf(data: Readonly<Record<string, unknown>> | undefined): Chosen | undefined {
  const id = data?.id;
  return typeof id === 'number' || id === 'all' || id === 'none' ? id : undefined;
}
