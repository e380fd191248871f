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
import { builtInReasonRow } from '../../events/types/builtInRows.ts';
import type { ReasonRefusal } from '../../store/events/eventReasons.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { newCustomCode } from './customCode.ts';
import { isNameTaken, tidyReason } from './eventDefineChecks.ts';
import { MAY_DEFINE_EVENTS as config, type EventDefineDeps } from './eventDefineDeps.ts';
import {
  BUILT_IN_ENTRY,
  LAST_REASON,
  NAME_TAKEN,
  NO_REASON,
  NOT_BUILT_IN,
  TOO_MANY_REASONS,
  USED_BY_EVENTS,
} from './eventDefineRefusals.ts';
import { auditFieldsOfReason, englishNameOfReason } from './eventDefineShapes.ts';

const path = `${EVENT_REASONS_PATH}/:id`;
const params = EventReasonParams;

/** `/api/eventdefine/reasons`. */
export function registerEventReasons(app: FastifyInstance, deps: EventDefineDeps): void {
  registerListAndAdding(app, deps);
  registerChange(app, deps);
  registerReset(app, deps);
  registerRemoval(app, deps);
}

function registerListAndAdding(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventReasons } = deps.stores;
  const listing = { summary: 'Reasons that events are closed for', response: answers(EventReasons) };
  routes.get(EVENT_REASONS_PATH, { schema: listing, config }, async () => ok(await eventReasons.all()));

  const adding = { summary: 'Adds a reason', body: EventReasonContent, response: answers(EventReason) };
  routes.post(EVENT_REASONS_PATH, { schema: adding, config }, async (request, reply) => {
    const content = tidyReason(request.body);
    const refusal = await refusalOf(content, undefined, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const added = await eventReasons.add({ ...content, code: newCustomCode(), isBuiltIn: false });
    if (!added.ok) return refuse(reply, TOO_MANY_REASONS);
    const after = auditFieldsOfReason(content);
    await recordAudit(request, { action: 'eventreason.add', target: content.nameEn, after });
    return ok(added.value);
  });
}

function registerChange(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventReasons } = deps.stores;
  const schema = { summary: 'Changes a reason', params, body: ChangedEventReason, response: answers(EventReason) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...body } = request.body;
    const known = await eventReasons.find(Number(request.params.id));
    if (known === undefined) return refuse(reply, NO_REASON);
    const content = tidyReason(body);
    const refusal = await refusalOf(content, known, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await eventReasons.update({ id: known.id, version }, content);
    if (!done.ok) return refuseChange(reply, done.reason, { id: known.id, deps });
    await recordAudit(request, {
      action: 'eventreason.change',
      target: englishNameOfReason(done.value),
      before: auditFieldsOfReason(done.value),
      after: auditFieldsOfReason(content),
    });
    return ok({ ...done.value, ...content, version: version + 1 });
  });
}

function registerReset(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventReasons } = deps.stores;
  const schema = { summary: 'Resets a built-in reason', params, body: ResetVersion, response: answers(EventReason) };
  routes.post(`${path}/reset`, { schema, config }, async (request, reply) => {
    const { version } = request.body;
    const known = await eventReasons.find(Number(request.params.id));
    if (known === undefined) return refuse(reply, NO_REASON);
    const fresh = builtInReasonRow(known.code);
    if (fresh === undefined) return refuse(reply, NOT_BUILT_IN);
    const done = await eventReasons.update({ id: known.id, version }, fresh);
    if (!done.ok) return refuseChange(reply, done.reason, { id: known.id, deps });
    await recordAudit(request, {
      action: 'eventreason.reset',
      target: englishNameOfReason(done.value),
      before: auditFieldsOfReason(done.value),
      after: auditFieldsOfReason(fresh),
    });
    return ok({ ...done.value, ...fresh, version: version + 1 });
  });
}

function registerRemoval(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventReasons } = deps.stores;
  const schema = {
    summary: 'Removes a reason that no event was closed for',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const known = await eventReasons.find(Number(request.params.id));
    if (known === undefined) return refuse(reply, NO_REASON);
    if (known.isBuiltIn) return refuse(reply, BUILT_IN_ENTRY);
    const done = await eventReasons.remove({ id: known.id, version: Number(request.query.version) });
    if (!done.ok) return refuseChange(reply, done.reason, { id: known.id, deps });
    const before = auditFieldsOfReason(done.value);
    await recordAudit(request, { action: 'eventreason.remove', target: englishNameOfReason(done.value), before });
    return ok({});
  });
}

/** `known`: as it is kept; undefined for a new one. */
async function refusalOf(
  { nameEn }: EventReasonContent,
  known: EventReason | undefined,
  { stores }: EventDefineDeps,
): Promise<Refusal | undefined> {
  if (nameEn === '') return known?.isBuiltIn === true ? undefined : refusedFields({ nameEn: 'required' });
  const others = (await stores.eventReasons.all()).filter(({ id }) => id !== known?.id);
  return isNameTaken(nameEn, others.map(englishNameOfReason)) ? NAME_TAKEN : undefined;
}

interface Changing {
  readonly id: number;
  readonly deps: EventDefineDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: ReasonRefusal | 'used',
  { id, deps }: Changing,
): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_REASON);
    case 'last':
      return refuse(reply, LAST_REASON);
    case 'used':
      return refuse(reply, USED_BY_EVENTS);
    case 'conflict': {
      const current = await deps.stores.eventReasons.find(id);
      return refuse(reply, current === undefined ? NO_REASON : conflictWith(current));
    }
  }
}
