import { useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { listEvents } from '../../../shared/api/events.ts';
import { listenForEvents } from '../../../shared/live/liveEvents.ts';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { type DeskState, EventDesk } from './desk/eventDesk.ts';

export interface UseEventDeskOptions {
  readonly zone: string;
  /** Events that began since the desk was loaded. */
  readonly onNew: (events: readonly EventRow[]) => void;
}

export interface ShownDesk {
  readonly desk: EventDesk;
  readonly state: DeskState;
}

/** The day's events while the component shows them. Another zone is another day. */
export function useEventDesk({ zone, onNew }: UseEventDeskOptions): ShownDesk {
  const announce = useEffectEvent((events: readonly EventRow[]) => onNew(events));
  const desk = useMemo(
    () =>
      new EventDesk({
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
  const state = useSyncExternalStore(desk.subscribe, desk.state);
  return { desk, state };
}
