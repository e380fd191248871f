// Finds late events that are known already. The trackers know what is recent; this asks the database, so that neither time nor a
// restart of the gateway makes two events of one. The writer asks: it alone adds events, so nothing comes between question and insert.
import type { EventLogStore } from '../../store/events/eventLog.ts';
import { isSameEvent, sameEventRange } from './sameEvent.ts';
import type { TrackedEvent } from './trackedEvent.ts';

/** The events that are known already, among those that are to be stored, in their order. */
export async function findToldAgain(
  events: readonly TrackedEvent[],
  store: Pick<EventLogStore, 'begunBetween'>,
): Promise<TrackedEvent[]> {
  const found: TrackedEvent[] = [];
  const others = new Map<string, TrackedEvent[]>();
  for (const event of events) {
    const key = `${event.device?.archiveNumber ?? 0}/${event.type}`;
    const before = others.get(key) ?? [];
    others.set(key, before);
    const isKnown =
      isNewAndLate(event) && (before.some((other) => isSameEvent(event, other)) || (await isStored(event, store)));
    if (isKnown) found.push(event);
    else before.push(event);
  }
  return found;
}

export function isNewAndLate({ id, isLate }: TrackedEvent): boolean {
  return isLate && id === undefined;
}

async function isStored(event: TrackedEvent, store: Pick<EventLogStore, 'begunBetween'>): Promise<boolean> {
  const archiveNumber = event.device?.archiveNumber ?? 0;
  const range = sameEventRange(event.beginAtMs);
  const stored = await store.begunBetween({ archiveNumber, type: event.type, ...range });
  return stored.some((known) => isSameEvent(event, known));
}
