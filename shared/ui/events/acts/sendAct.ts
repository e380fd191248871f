import type { ApiResult } from '../../../api/client.ts';
import { actOnEvents } from '../../../api/events.ts';
import type { EventActAnswer, EventRow } from '../../../protocol/api/events.ts';
import type { EventAct } from '../../../protocol/events/eventWords.ts';
import { type ActContent, actRequest, eventsToRepeat, mergeAnswers } from './actRequest.ts';

/** Does the act, and once more to events that only the gateway has changed meanwhile. */
export async function sendAct(
  act: EventAct,
  events: readonly EventRow[],
  content: ActContent,
): Promise<ApiResult<EventActAnswer>> {
  const first = await actOnEvents(actRequest(act, events, content));
  if (!first.ok) return first;
  const again = eventsToRepeat(act, first.value.refused);
  if (again.length === 0) return first;
  const second = await actOnEvents(actRequest(act, again, content));
  return second.ok ? { ok: true, value: mergeAnswers(first.value, second.value) } : first;
}
