import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  ChangedEventType,
  EVENT_TYPES_PATH,
  EventTypeContent,
  EventTypeParams,
  EventTypeRecord,
  EventTypeRecords,
  ResetVersion,
  VersionQuery,
} from '../../../shared/protocol/api/eventTypes.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import type { DefinedRefusal } from '../../events/acts/definedActs.ts';
import { createEventTypeActs } from '../../events/acts/types.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import type { Outcome } from '../../store/outcome.ts';
import { answers } from '../kernel/answers.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { actorOf } from '../kernel/records/recordRoutes.ts';
import { MAY_DEFINE_EVENTS as config, type EventDefineDeps } from './eventDefineDeps.ts';
import { refusalOfType } from './eventDefineRefusals.ts';
import { recordOfType } from './eventDefineShapes.ts';

const path = `${EVENT_TYPES_PATH}/:code`;
const params = EventTypeParams;
const response = answers(EventTypeRecord);

/** `/api/eventdefine/types`. */
export function registerEventTypes(app: FastifyInstance, { stores, bus, now }: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventTypes: store } = stores;
  const acts = createEventTypeActs({ store, bus, now });
  const listing = { summary: 'Event types', response: answers(EventTypeRecords) };
  routes.get(EVENT_TYPES_PATH, { schema: listing, config }, async () => ok((await store.all()).map(recordOfType)));

  const adding = { summary: 'Adds an event type', body: EventTypeContent, response };
  routes.post(EVENT_TYPES_PATH, { schema: adding, config }, async (request, reply) =>
    answer(reply, await acts.add(actorOf(request), request.body)),
  );

  const changing = { summary: 'Changes an event type', params, body: ChangedEventType, response };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const named = { code: request.params.code, version };
    return answer(reply, await acts.change(actorOf(request), named, content));
  });

  const resetting = { summary: 'Resets a built-in event type', params, body: ResetVersion, response };
  routes.post(`${path}/reset`, { schema: resetting, config }, async (request, reply) => {
    const named = { code: request.params.code, version: request.body.version };
    return answer(reply, await acts.reset(actorOf(request), named));
  });

  const removing = {
    summary: 'Removes an event type that no event was raised of',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { code: request.params.code, version: Number(request.query.version) };
    const done = await acts.remove(actorOf(request), named);
    return done.ok ? ok({}) : answer(reply, done);
  });
}

function answer(reply: FastifyReply, done: Outcome<StoredEventType, DefinedRefusal<StoredEventType>>) {
  return done.ok ? ok(recordOfType(done.value)) : refuse(reply, refusalOfType(done.reason));
}
