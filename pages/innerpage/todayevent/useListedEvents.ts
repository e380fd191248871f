// Which of the day's events are listed, and how.
import { useMemo, useState } from 'react';
import { readStored, writeStored } from '../../../shared/i18n/browserStorage.ts';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import type { EventNames } from '../../../shared/ui/events/useEventNames.ts';
import {
  ALL_EVENTS,
  countEvents,
  type EventCounts,
  type EventFilter,
  type FilterContext,
  filterEvents,
  toggled,
} from './model/eventFilter.ts';
import { eventsOfItems, flatItems, groupByDevice, type ListItem } from './model/listItems.ts';

const GROUPED_KEY = 'events-grouped';

export interface ListedEvents {
  readonly filter: EventFilter;
  readonly setFilter: (part: Partial<EventFilter>) => void;
  readonly clearFilter: () => void;
  readonly counts: EventCounts;
  readonly items: readonly ListItem[];
  /** The events of the items, without those of collapsed devices. */
  readonly events: readonly EventRow[];
  readonly isGrouped: boolean;
  readonly setGrouped: (isGrouped: boolean) => void;
  /** Hides the events of a device, or shows them again. */
  readonly collapse: (deviceid: string) => void;
}

export function useListedEvents(rows: readonly EventRow[], names: EventNames, username: string): ListedEvents {
  const [filter, setFilter] = useState(ALL_EVENTS);
  const [isGrouped, setGrouped] = useState(() => readStored(GROUPED_KEY) === '1');
  const [collapsed, setCollapsed] = useState<readonly string[]>([]);
  const context = useMemo<FilterContext>(
    () => ({ username, nameOf: names.nameOf, categoryOf: (type) => names.typeOf(type)?.category }),
    [username, names],
  );
  const matching = useMemo(() => filterEvents(rows, filter, context), [rows, filter, context]);
  const counts = useMemo(() => countEvents(rows, filter, context), [rows, filter, context]);
  const items = useMemo(
    () => (isGrouped ? groupByDevice(matching, new Set(collapsed)) : flatItems(matching)),
    [matching, isGrouped, collapsed],
  );
  const events = useMemo(() => eventsOfItems(items), [items]);
  return {
    filter,
    setFilter: (part) => setFilter((at) => ({ ...at, ...part })),
    clearFilter: () => setFilter(ALL_EVENTS),
    counts,
    items,
    events,
    isGrouped,
    setGrouped: (next) => {
      writeStored(GROUPED_KEY, next ? '1' : '0');
      setGrouped(next);
    },
    collapse: (deviceid) => setCollapsed((at) => toggled(at, deviceid)),
  };
}
