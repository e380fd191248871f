import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { ListItem } from '../model/listItems.ts';
import { itemKey, itemPixels } from '../model/listLayout.ts';
import type { EventChoice } from '../useEventChoice.ts';
import { DeviceListRow } from './DeviceListRow.tsx';
import { EventListRow, eventRowId, type RowPlace } from './EventListRow.tsx';
import { HEAD_PIXELS, ListHead } from './ListHead.tsx';
import { useIsCompact } from './useListSize.ts';
import { useScrollAnchor } from './useScrollAnchor.ts';

export interface EventListProps {
  /** What scrolls, and has the focus while the keys move through the rows. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly ListItem[];
  readonly events: readonly EventRow[];
  readonly names: EventNames;
  readonly choice: EventChoice;
  readonly onSelectAll: () => void;
  readonly onCollapse: (deviceid: string) => void;
}

/** Only the rows in sight are in the document, whatever the number of events. */
export function EventList({ scroller, items, events, names, choice, onSelectAll, onCollapse }: EventListProps) {
  const { t } = useTranslation('TodayEvent');
  const host = useRef<HTMLDivElement>(null);
  const isCompact = useIsCompact(host);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => itemPixels(items[index] ?? NO_ITEM, isCompact),
    getItemKey: (index) => itemKey(items[index] ?? NO_ITEM),
    overscan: 8,
    // The heads lie over the first of what is scrolled.
    scrollMargin: HEAD_PIXELS,
    scrollPaddingStart: HEAD_PIXELS,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are others when the list or its width is another
  useEffect(() => rows.measure(), [rows, items, isCompact]);
  useScrollAnchor(scroller, items, isCompact);
  useCurrentInSight(choice.current?.id, items, (index) => rows.scrollToIndex(index, { align: 'auto' }));
  const shown = rows.getVirtualItems();
  // A row that was scrolled away is not in the document and can be nobody's active one.
  const isActiveShown = shown.some(({ index }) => isEvent(items[index], choice.current?.id));
  const { selected } = choice;
  return (
    <Box ref={host} sx={LIST}>
      <Box
        ref={scroller}
        role="grid"
        aria-label={t('Events of today')}
        aria-rowcount={items.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={
          isActiveShown && choice.current !== undefined ? eventRowId(choice.current.id) : undefined
        }
        tabIndex={0}
        onClick={(event) => click(event, choice, onCollapse)}
        sx={SCROLLER}
      >
        <Box sx={HEAD}>
          <ListHead
            isCompact={isCompact}
            selected={selected.length === 0 ? 'none' : selected.length === events.length ? 'all' : 'some'}
            onSelectAll={onSelectAll}
            onClear={choice.clearSelection}
          />
        </Box>
        <Box role="presentation" sx={{ height: rows.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start, size, key }) => (
            <ListRow
              key={key}
              item={items[index]}
              names={names}
              choice={choice}
              isCompact={isCompact}
              index={index + 2}
              top={start - HEAD_PIXELS}
              height={size}
            />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

interface ListRowProps extends RowPlace {
  readonly item: ListItem | undefined;
  readonly names: EventNames;
  readonly choice: EventChoice;
  readonly isCompact: boolean;
}

function ListRow({ item, names, choice, isCompact, index, top, height }: ListRowProps) {
  if (item === undefined) return null;
  if (item.kind === 'device') return <DeviceListRow item={item} index={index} top={top} height={height} />;
  const { event } = item;
  return (
    <EventListRow
      event={event}
      names={names}
      isCurrent={event.id === choice.current?.id}
      isSelected={choice.isSelected(event.id)}
      isCompact={isCompact}
      index={index}
      top={top}
      height={height}
    />
  );
}

/** What the keys are at is scrolled to; an update that moves its row scrolls nothing. */
function useCurrentInSight(
  currentId: number | undefined,
  items: readonly ListItem[],
  scrollTo: (index: number) => void,
): void {
  const show = useEffectEvent((id: number) => {
    const index = items.findIndex((item) => isEvent(item, id));
    if (index >= 0) scrollTo(index);
  });
  useEffect(() => {
    if (currentId !== undefined) show(currentId);
  }, [currentId]);
}

function isEvent(item: ListItem | undefined, id: number | undefined): boolean {
  return item?.kind === 'event' && item.event.id === id;
}

function click({ target, shiftKey }: MouseEvent, choice: EventChoice, onCollapse: (deviceid: string) => void): void {
  if (!(target instanceof Element)) return;
  const device = target.closest('[data-device]')?.getAttribute('data-device');
  if (typeof device === 'string') {
    onCollapse(device);
    return;
  }
  const id = Number(target.closest('[data-event-id]')?.getAttribute('data-event-id') ?? Number.NaN);
  if (!Number.isInteger(id)) return;
  if (shiftKey) choice.selectTo(id);
  else if (target.closest('[data-select]') !== null) choice.toggle(id);
  else choice.open(id);
}

const NO_ITEM: ListItem = {
  kind: 'device',
  deviceid: '',
  event: {} as EventRow,
  count: 0,
  severity: 'info',
  isCollapsed: false,
};
const LIST = { flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' } as const;
const SCROLLER = {
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  outlineOffset: '-2px !important',
  backgroundColor: 'background.paper',
} as const;
const HEAD = { position: 'sticky', top: 0, zIndex: 1, backgroundColor: 'background.paper' } as const;
