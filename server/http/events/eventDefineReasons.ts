import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  ChangedEventReason,
  EVENT_REASONS_PATH,
  EventReason,
  EventReasonContent,
  EventReasonParams,
  EventReasons,
  ResetVersion,
  VersionQuery,
} from '../../../shared/protocol/api/eventTypes.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import type { DefinedRefusal } from '../../events/acts/definedActs.ts';
import { createEventReasonActs } from '../../events/acts/reasons.ts';
import type { Outcome } from '../../store/outcome.ts';
import { answers } from '../kernel/answers.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { actorOf } from '../kernel/records/recordRoutes.ts';
import { MAY_DEFINE_EVENTS as config, type EventDefineDeps } from './eventDefineDeps.ts';
import { refusalOfReason } from './eventDefineRefusals.ts';

const path = `${EVENT_REASONS_PATH}/:id`;
const params = EventReasonParams;

/** `/api/eventdefine/reasons`. */
export function registerEventReasons(app: FastifyInstance, { stores, bus, now }: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventReasons: store } = stores;
  const acts = createEventReasonActs({ store, bus, now });
  const listing = { summary: 'Reasons that events are closed for', response: answers(EventReasons) };
  routes.get(EVENT_REASONS_PATH, { schema: listing, config }, async () => ok(await store.all()));

  const adding = { summary: 'Adds a reason', body: EventReasonContent, response: answers(EventReason) };
  routes.post(EVENT_REASONS_PATH, { schema: adding, config }, async (request, reply) =>
    answer(reply, await acts.add(actorOf(request), request.body)),
  );

  const changing = { summary: 'Changes a reason', params, body: ChangedEventReason, response: answers(EventReason) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const named = { id: Number(request.params.id), version };
    return answer(reply, await acts.change(actorOf(request), named, content));
  });

  const resetting = { summary: 'Resets a built-in reason', params, body: ResetVersion, response: answers(EventReason) };
  routes.post(`${path}/reset`, { schema: resetting, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: request.body.version };
    return answer(reply, await acts.reset(actorOf(request), named));
  });

  const removing = {
    summary: 'Removes a reason that no event was closed for',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(actorOf(request), named);
    return done.ok ? ok({}) : answer(reply, done);
  });
}

function answer(reply: FastifyReply, done: Outcome<EventReason, DefinedRefusal<EventReason>>) {
  return done.ok ? ok(done.value) : refuse(reply, refusalOfReason(done.reason));
}
