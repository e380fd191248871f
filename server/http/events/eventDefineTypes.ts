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
import { builtInRow } from '../../events/types/builtInRows.ts';
import { newCustomCode } from '../../events/types/customCode.ts';
import { englishNameOfType, isNameTaken } from '../../events/types/definedNames.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { faultsOfBuiltInType, faultsOfCustomType, tidyType } from './eventDefineChecks.ts';
import { MAY_DEFINE_EVENTS as config, type EventDefineDeps } from './eventDefineDeps.ts';
import {
  BUILT_IN_ENTRY,
  NAME_TAKEN,
  NO_EVENT_TYPE,
  NOT_BUILT_IN,
  TOO_MANY_TYPES,
  USED_BY_EVENTS,
} from './eventDefineRefusals.ts';
import { auditFieldsOfType, recordOfType } from './eventDefineShapes.ts';

const path = `${EVENT_TYPES_PATH}/:code`;
const params = EventTypeParams;

/** `/api/eventdefine/types`. */
export function registerEventTypes(app: FastifyInstance, deps: EventDefineDeps): void {
  registerListAndAdding(app, deps);
  registerChange(app, deps);
  registerReset(app, deps);
  registerRemoval(app, deps);
}

function registerListAndAdding(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventTypes } = deps.stores;
  const listing = { summary: 'Event types', response: answers(EventTypeRecords) };
  routes.get(EVENT_TYPES_PATH, { schema: listing, config }, async () => ok((await eventTypes.all()).map(recordOfType)));

  const adding = { summary: 'Adds an event type', body: EventTypeContent, response: answers(EventTypeRecord) };
  routes.post(EVENT_TYPES_PATH, { schema: adding, config }, async (request, reply) => {
    const content = tidyType(request.body);
    const refusal = await refusalOf(content, undefined, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const added = await eventTypes.add({ ...content, code: newCustomCode(), isBuiltIn: false });
    if (!added.ok) return refuse(reply, TOO_MANY_TYPES);
    await recordAudit(request, {
      action: 'eventtype.add',
      target: content.nameEn,
      after: auditFieldsOfType(content),
    });
    return ok(recordOfType(added.value));
  });
}

function registerChange(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventTypes } = deps.stores;
  const schema = {
    summary: 'Changes an event type',
    params,
    body: ChangedEventType,
    response: answers(EventTypeRecord),
  };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...body } = request.body;
    const { code } = request.params;
    const known = await eventTypes.find(code);
    if (known === undefined) return refuse(reply, NO_EVENT_TYPE);
    const content = tidyType(body);
    const refusal = await refusalOf(content, known, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await eventTypes.update({ code, version }, content);
    if (!done.ok) return refuseChange(reply, done.reason, { code, deps });
    await recordAudit(request, {
      action: 'eventtype.change',
      target: englishNameOfType(done.value),
      before: auditFieldsOfType(done.value),
      after: auditFieldsOfType(content),
    });
    return ok(recordOfType({ ...known, ...content, version: version + 1 }));
  });
}

function registerReset(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventTypes } = deps.stores;
  const schema = {
    summary: 'Resets a built-in event type',
    params,
    body: ResetVersion,
    response: answers(EventTypeRecord),
  };
  routes.post(`${path}/reset`, { schema, config }, async (request, reply) => {
    const { code } = request.params;
    const { version } = request.body;
    const known = await eventTypes.find(code);
    if (known === undefined) return refuse(reply, NO_EVENT_TYPE);
    const fresh = builtInRow(code);
    if (fresh === undefined) return refuse(reply, NOT_BUILT_IN);
    const done = await eventTypes.update({ code, version }, fresh);
    if (!done.ok) return refuseChange(reply, done.reason, { code, deps });
    await recordAudit(request, {
      action: 'eventtype.reset',
      target: englishNameOfType(done.value),
      before: auditFieldsOfType(done.value),
      after: auditFieldsOfType(fresh),
    });
    return ok(recordOfType({ ...fresh, version: version + 1 }));
  });
}

function registerRemoval(app: FastifyInstance, deps: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventTypes } = deps.stores;
  const schema = {
    summary: 'Removes an event type that no event was raised of',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { code } = request.params;
    const known = await eventTypes.find(code);
    if (known === undefined) return refuse(reply, NO_EVENT_TYPE);
    if (known.isBuiltIn) return refuse(reply, BUILT_IN_ENTRY);
    const done = await eventTypes.remove({ code, version: Number(request.query.version) });
    if (!done.ok) return refuseChange(reply, done.reason, { code, deps });
    await recordAudit(request, {
      action: 'eventtype.remove',
      target: englishNameOfType(done.value),
      before: auditFieldsOfType(done.value),
    });
    return ok({});
  });
}

/** `known`: as it is kept; undefined for a new one. */
async function refusalOf(
  content: EventTypeContent,
  known: StoredEventType | undefined,
  { stores }: EventDefineDeps,
): Promise<Refusal | undefined> {
  const faults = known?.isBuiltIn === true ? faultsOfBuiltInType(content, known) : faultsOfCustomType(content);
  if (Object.keys(faults).length > 0) return refusedFields(faults);
  if (content.nameEn === '') return undefined;
  const others = (await stores.eventTypes.all()).filter(({ code }) => code !== known?.code);
  return isNameTaken(content.nameEn, others.map(englishNameOfType)) ? NAME_TAKEN : undefined;
}

interface Changing {
  readonly code: string;
  readonly deps: EventDefineDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'used',
  { code, deps }: Changing,
): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_EVENT_TYPE);
    case 'used':
      return refuse(reply, USED_BY_EVENTS);
    case 'conflict': {
      const current = await deps.stores.eventTypes.find(code);
      return refuse(reply, current === undefined ? NO_EVENT_TYPE : conflictWith(recordOfType(current)));
    }
  }
}
