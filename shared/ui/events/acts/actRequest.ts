// The request to the gateway when a member acts on events, and its repeats. Pure.
import type { EventActAnswer, EventActRequest, EventRow } from '../../../protocol/api/events.ts';
import { allowsAct } from '../../../protocol/events/eventActs.ts';
import { EVENTS_AT_ONCE, type EventAct } from '../../../protocol/events/eventWords.ts';

export type ActContent = Omit<EventActRequest, 'act' | 'events'>;
export type RefusedEvent = EventActAnswer['refused'][number];

/** The events that the act can be done to as they were last seen, but no more than one request takes. */
export function actableEvents(act: EventAct, events: readonly EventRow[]): readonly EventRow[] {
  return events.filter(({ status }) => allowsAct(status, act)).slice(0, EVENTS_AT_ONCE);
}

export function actRequest(act: EventAct, events: readonly EventRow[], content: ActContent): EventActRequest {
  return { act, events: events.map(({ id, version }) => ({ id, version })), ...content };
}

/**
 * The refused events, as they are now, that only the gateway has changed meanwhile (by a repeat of the alarm, for example) and that
 * still allow the act. Nobody has answered them, so the member need not be asked again.
 */
export function eventsToRepeat(act: EventAct, refused: readonly RefusedEvent[]): readonly EventRow[] {
  return refused.flatMap(({ failure, by, event }) =>
    failure === 'conflict' && by === '' && event !== null && allowsAct(event.status, act) ? [event] : [],
  );
}

/** The refused events, as they are now, that another member was first with and that the act could still be done to. */
export function eventsToOffer(act: EventAct, refused: readonly RefusedEvent[]): readonly EventRow[] {
  return refused.flatMap(({ event }) => (event !== null && allowsAct(event.status, act) ? [event] : []));
}

/** The answers to a request and to its repeat, as one. */
export function mergeAnswers(first: EventActAnswer, second: EventActAnswer): EventActAnswer {
  const repeated = new Set([...second.events, ...second.refused].map(({ id }) => id));
  return {
    events: [...first.events, ...second.events],
    refused: [...first.refused.filter(({ id }) => !repeated.has(id)), ...second.refused],
  };
}

/** All events in the answer, as they are now. */
export function eventsOf({ events, refused }: EventActAnswer): readonly EventRow[] {
  return [...events, ...refused.flatMap(({ event }) => (event === null ? [] : [event]))];
}
