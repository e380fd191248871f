// Which sound new events make. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENT_SOUNDS, type EventSound } from '../../../../shared/protocol/api/eventTypes.ts';

/** The sound of the most urgent event. Events that were reported late, or are already answered, alert nobody. */
export function soundOfNew(events: readonly EventRow[], soundOf: (type: string) => EventSound): EventSound {
  const sounds = events.filter(({ status, late }) => status === 'new' && !late).map(({ type }) => soundOf(type));
  return EVENT_SOUNDS.findLast((sound) => sounds.includes(sound)) ?? 'none';
}
