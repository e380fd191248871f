import { useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { listEvents } from '../../../shared/api/events.ts';
import { listenForEvents } from '../../../shared/live/liveEvents.ts';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { DayEvents, type DayEventsState } from './model/dayEvents.ts';

export interface DayEventsOptions {
  readonly zone: string;
  /** Events that began since the list was loaded. */
  readonly onNew: (events: readonly EventRow[]) => void;
}

export interface ShownDay {
  readonly dayEvents: DayEvents;
  readonly state: DayEventsState;
}

/** The day's events while the component shows them. Another zone is another day. */
export function useDayEvents({ zone, onNew }: DayEventsOptions): ShownDay {
  const announce = useEffectEvent((events: readonly EventRow[]) => onNew(events));
  const dayEvents = useMemo(
    () =>
      new DayEvents({
        loadPage: listEvents,
        listen: listenForEvents,
        now: Date.now,
        runAfter: (delayMs, run) => {
          const timer = setTimeout(run, delayMs);
          return () => clearTimeout(timer);
        },
        zone,
        onNew: (events) => announce(events),
      }),
    [zone],
  );
  const state = useSyncExternalStore(dayEvents.subscribe, dayEvents.state);
  return { dayEvents, state };
}
