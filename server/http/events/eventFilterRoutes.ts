// Filters of events that users have saved, each for itself.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  EVENT_FILTERS_PATH,
  EventIdParams,
  NewEventFilter,
  SavedEventFilter,
  SavedEventFilters,
} from '../../../shared/protocol/api/events.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { EVENT_ACCESS, type EventWorkDeps } from './eventWorkDeps.ts';
import { readEventFilter } from './list/eventQuery.ts';

const config = { access: EVENT_ACCESS } as const;
const TOO_MANY = {
  status: 409,
  code: 'too-many-filters',
  message: 'You have too many saved filters. Delete one first.',
} as const;

export function registerEventFilters(app: FastifyInstance, { stores }: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventFilters } = stores;
  const listing = { summary: 'Saved filters of events', response: answers(SavedEventFilters) };
  routes.get(EVENT_FILTERS_PATH, { schema: listing, config }, async (request) =>
    ok(await eventFilters.listOf(callerOf(request).user.id)),
  );

  const saving = { summary: 'Saves a filter of events', body: NewEventFilter, response: answers(SavedEventFilter) };
  const changing = { ...config, changes: [] } as const;
  routes.post(EVENT_FILTERS_PATH, { schema: saving, config: changing }, async (request, reply) => {
    const { query } = request.body;
    const name = request.body.name.trim();
    if (name === '') return refuse(reply, refusedFields({ name: 'required' }));
    if (readEventFilter(query) === undefined) return refuse(reply, Refused.badRequest);
    const saved = await eventFilters.put(callerOf(request).user.id, { name, query });
    return saved === undefined ? refuse(reply, TOO_MANY) : ok(saved);
  });

  const removing = { summary: 'Deletes a saved filter', params: EventIdParams, response: answers(Nothing) };
  routes.delete(`${EVENT_FILTERS_PATH}/:id`, { schema: removing, config: changing }, async (request, reply) => {
    const isRemoved = await eventFilters.remove(callerOf(request).user.id, Number(request.params.id));
    return isRemoved ? ok({}) : refuse(reply, Refused.notFound);
  });
}
