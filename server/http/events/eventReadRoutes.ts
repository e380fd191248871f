// One event, how many there are, and who can be given them.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  EVENT_ASSIGNEES_AT_ONCE,
  EVENT_ASSIGNEES_PATH,
  EVENT_COUNTS_PATH,
  EVENT_DAYS_MAX,
  EVENT_DAYS_PATH,
  EVENTS_PATH,
  EventAssignees,
  EventCounts,
  EventDays,
  EventDaysQuery,
  EventDetail,
  EventIdParams,
} from '../../../shared/protocol/api/events.ts';
import { MAX_SEARCH_LENGTH } from '../../../shared/protocol/api/lists.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { dayStarts, isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { NO_EVENT } from './eventMediaRoutes.ts';
import { EVENT_ACCESS, type EventWorkDeps, eventScopeOf } from './eventWorkDeps.ts';
import { readEventFilter } from './list/eventQuery.ts';

const config = { access: EVENT_ACCESS } as const;
const DAY_MS = 86_400_000;
const Search = Type.Object(
  { search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH })) },
  { additionalProperties: false },
);

export function registerEventReading(app: FastifyInstance, deps: EventWorkDeps): void {
  registerOne(app, deps);
  registerCounts(app, deps);
  registerDays(app, deps);
  registerAssignees(app, deps);
}

/** `GET /api/event/events/:id`. */
function registerOne(app: FastifyInstance, { stores }: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'An event and what was done to it', params: EventIdParams, response: answers(EventDetail) };
  routes.get(`${EVENTS_PATH}/:id`, { schema, config }, async (request, reply) => {
    const found = await stores.eventList.find(Number(request.params.id), eventScopeOf(scopeOf(callerOf(request))));
    return found === undefined ? refuse(reply, NO_EVENT) : ok(found);
  });
}

/** `GET /api/event/counts`. */
function registerCounts(app: FastifyInstance, { eventCountsOf }: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'How many events nobody has closed', response: answers(EventCounts) };
  routes.get(EVENT_COUNTS_PATH, { schema, config }, async (request) =>
    ok(await eventCountsOf(eventScopeOf(scopeOf(callerOf(request))))),
  );
}

/** `GET /api/event/days`. */
function registerDays(app: FastifyInstance, { stores }: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'How many events began on each day of a period',
    querystring: EventDaysQuery,
    response: answers(EventDays),
  };
  routes.get(EVENT_DAYS_PATH, { schema, config }, async (request, reply) => {
    const { timeZone = 'UTC', ...query } = request.query;
    const filter = readEventFilter(query);
    if (filter === undefined) return refuse(reply, Refused.badRequest);
    const faults = daysFaults(filter, timeZone);
    if (faults !== undefined) return refuse(reply, refusedFields(faults));
    const { fromMs = 0, toMs = 0 } = filter;
    const scope = eventScopeOf(scopeOf(callerOf(request)));
    const days = await stores.eventList.countByDay({ ...filter, ...scope }, dayStarts(fromMs, toMs, timeZone));
    return ok(days.map((day) => ({ ...day, fromMs: wallMs(day.fromMs) })));
  });
}

/** Undefined where nothing is wrong. */
function daysFaults(
  { fromMs, toMs }: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined },
  timeZone: string,
): Readonly<Record<string, string>> | undefined {
  if (!isTimeZone(timeZone)) return { timeZone: 'unknown' };
  if (fromMs === undefined) return { from: 'required' };
  if (toMs === undefined) return { to: 'required' };
  return toMs <= fromMs || toMs - fromMs > EVENT_DAYS_MAX * DAY_MS ? { to: 'out-of-range' } : undefined;
}

/** `GET /api/event/assignees`. */
function registerAssignees(app: FastifyInstance, { stores, now }: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Members who can be given events',
    querystring: Search,
    response: answers(EventAssignees),
  };
  routes.get(EVENT_ASSIGNEES_PATH, { schema, config }, async (request) => {
    const { memberGroup, userId } = scopeOf(callerOf(request));
    const query = { memberGroup, self: userId, atMs: now() };
    const found = await stores.eventAssignees.list(query, request.query.search ?? '', EVENT_ASSIGNEES_AT_ONCE);
    return ok(found.map(({ username, displayName }) => ({ username, displayName })));
  });
}
