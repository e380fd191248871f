// Which sound new events make. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENT_SOUNDS, type EventSound } from '../../../../shared/protocol/api/eventTypes.ts';

/** That of the most urgent one. What was reported late, or is answered already, calls nobody. */
export function soundOfNew(events: readonly EventRow[], soundOf: (type: string) => EventSound): EventSound {
  const sounds = events.filter(({ status, late }) => status === 'new' && !late).map(({ type }) => soundOf(type));
  return EVENT_SOUNDS.findLast((sound) => sounds.includes(sound)) ?? 'none';
}
