import { useEffect, useEffectEvent, useState } from 'react';
import { listenForEvents } from '../../../live/liveEvents.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import { laterEvent } from '../laterEvent.ts';

export interface LiveEvent {
  /** The event as the page knows it, or as the live line has reported it since. A new object whenever something of it may have changed. */
  readonly event: EventRow;
  /** Grows after a break of the line, when nobody knows what has changed. */
  readonly reloads: number;
}

/** One line for as long as the component is there, whatever events it shows. */
export function useLiveEvent(event: EventRow): LiveEvent {
  const [told, setTold] = useState<EventRow>();
  const [reloads, setReloads] = useState(0);
  const take = useEffectEvent((events: readonly EventRow[]) => {
    const own = events.findLast(({ id }) => id === event.id);
    if (own !== undefined) setTold(own);
  });
  useEffect(() => {
    let hasBegun = false;
    return listenForEvents({
      onEvents: (events) => take(events),
      onReload: () => {
        // The first only says where the line begins: what is shown has just been loaded.
        if (hasBegun) setReloads((count) => count + 1);
        hasBegun = true;
      },
    });
  }, []);
  return { event: told?.id === event.id ? laterEvent(event, told) : event, reloads };
}
