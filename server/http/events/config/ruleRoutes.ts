import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ChangedEventRule,
  EVENT_RULE_GROUPS_PATH,
  EVENT_RULES_PATH,
  EventRuleRow,
  EventRuleRows,
  RuleGroups,
  RuleScopeQuery,
} from '../../../../shared/protocol/api/eventConfig.ts';
import type { EventRuleSettings } from '../../../../shared/protocol/events/eventRules.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { faultsOfSettings, setsDriverText, tidySettings } from '../../../events/config/ruleChecks.ts';
import { RuleIndex, valuesAt, withSettings } from '../../../events/config/ruleLayers.ts';
import { englishNameOfType } from '../../../events/types/definedNames.ts';
import type { StoredEventType } from '../../../store/events/eventTypes.ts';
import type { EventRuleStore } from '../../../store/events/rules/eventRules.ts';
import { deviceReachOf, NO_GROUP } from '../../devices/scope.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { conflictWith, ok, type Refusal, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { NO_EVENT_TYPE } from '../eventDefineRefusals.ts';
import { MAY_CONFIGURE_EVENTS as config, type EventConfigDeps } from './eventConfigDeps.ts';
import { belongsTo, TOO_MANY_RULES } from './eventConfigRefusals.ts';
import { auditPlace, ruleRow, ruleRows } from './ruleRows.ts';
import { type RuleScope, ruleScopeOf } from './ruleScope.ts';

/** `/api/eventconfig/groups` and `/api/eventconfig/rules`. */
export function registerEventRules(app: FastifyInstance, deps: EventConfigDeps): void {
  registerGroups(app, deps);
  registerList(app, deps);
  registerChange(app, deps);
}

function registerGroups(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Device groups that events can be configured for', response: answers(RuleGroups) };
  routes.get(EVENT_RULE_GROUPS_PATH, { schema, config }, async (request) => {
    const { groups, ids } = await deviceReachOf(deps, request);
    const listed = groups.map(({ serialno: id, name, parent }) => {
      return { id, name, parent: parent !== undefined && ids.has(parent) ? parent : null };
    });
    return ok(listed);
  });
}

function registerList(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { eventRules, eventTypes } = deps.stores;
  const schema = {
    summary: 'What is configured of events in a scope',
    querystring: RuleScopeQuery,
    response: answers(EventRuleRows),
  };
  routes.get(EVENT_RULES_PATH, { schema, config }, async (request, reply) => {
    const at = await ruleScopeOf(deps, request, request.query);
    if ('status' in at) return refuse(reply, at);
    const [types, rules] = await Promise.all([eventTypes.all(), eventRules.all()]);
    return ok(ruleRows(types, rules, at));
  });
}

function registerChange(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Changes what is configured of an event type in a scope',
    body: ChangedEventRule,
    response: answers(EventRuleRow),
  };
  routes.put(EVENT_RULES_PATH, { schema, config }, async (request, reply) => {
    const { type: code, version } = request.body;
    const at = await ruleScopeOf(deps, request, request.body);
    if ('status' in at) return refuse(reply, at);
    const settings = tidySettings(request.body.settings);
    const type = await configuredType(deps, at, code);
    if (type === undefined) return refuse(reply, NO_EVENT_TYPE);
    const sent = { at, settings };
    const refusal =
      (await refusalOfText(deps, request, { code, ...sent })) ?? (await refusalOfSettings(deps, type, sent));
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await deps.stores.eventRules.put({ type: code, scope: at.scope, settings, version });
    if (!done.ok) return refuseChange(reply, done.reason, { type, at, deps });
    await noteChange(request, done.value, { type, at, deps });
    return ok(await rowNow({ type, at, deps }));
  });
}

/** Undefined for a type that is not there, or that has nothing to configure in the scope. */
export async function configuredType(
  { stores }: Pick<EventConfigDeps, 'stores'>,
  { scope }: RuleScope,
  code: string,
): Promise<StoredEventType | undefined> {
  return belongsTo(scope, code) ? stores.eventTypes.find(code) : undefined;
}

export interface SettingsSent {
  readonly at: RuleScope;
  readonly settings: EventRuleSettings;
}

export async function refusalOfSettings(
  { stores }: Pick<EventConfigDeps, 'stores'>,
  type: StoredEventType,
  { at, settings }: SettingsSent,
): Promise<Refusal | undefined> {
  // Nothing that is set can't be wrong, and must always be possible.
  if (Object.keys(settings).length === 0) return undefined;
  const rules = withSettings(await stores.eventRules.all(), { type: type.code, scope: at.scope, settings });
  const faults = faultsOfSettings(type.code, settings, valuesAt(rules, type, at.place).values);
  return Object.keys(faults).length === 0 ? undefined : refusedFields(faults);
}

/** Nobody has events send what they could not send themselves. */
async function refusalOfText(
  { stores }: Pick<EventConfigDeps, 'stores'>,
  request: FastifyRequest,
  { code, at, settings }: SettingsSent & { readonly code: string },
): Promise<Refusal | undefined> {
  if (callerOf(request).user.permissions.includes(Permission.DeviceText)) return undefined;
  const own = new RuleIndex(await stores.eventRules.all()).find(code, at.scope)?.settings ?? {};
  return setsDriverText(settings, own) ? refusedFields({ driverText: 'not-allowed' }) : undefined;
}

interface Changing {
  readonly type: StoredEventType;
  readonly at: RuleScope;
  readonly deps: EventConfigDeps;
}

type Put = Awaited<ReturnType<EventRuleStore['put']>>;
type Stored = Extract<Put, { ok: true }>['value'];

async function noteChange(request: FastifyRequest, stored: Stored, { type, at }: Changing): Promise<void> {
  const { before, after } = stored;
  if (before === undefined && after === undefined) return;
  await recordAudit(request, {
    action: 'eventrule.change',
    target: englishNameOfType(type),
    detail: auditPlace(at),
    before: before?.settings,
    after: after?.settings,
  });
}

async function rowNow({ type, at, deps }: Changing): Promise<EventRuleRow> {
  return ruleRow(type, new RuleIndex(await deps.stores.eventRules.all()), at);
}

async function refuseChange(
  reply: FastifyReply,
  reason: Extract<Put, { ok: false }>['reason'],
  changing: Changing,
): Promise<FastifyReply> {
  switch (reason) {
    case 'conflict':
      return refuse(reply, conflictWith(await rowNow(changing)));
    case 'too-many':
      return refuse(reply, TOO_MANY_RULES);
    case 'gone':
      return refuse(reply, goneOf(changing));
  }
}

/** It was there when the call came in. */
function goneOf({ at }: Changing): Refusal {
  switch (at.scope.kind) {
    case 'installation':
      return NO_EVENT_TYPE;
    case 'group':
      return NO_GROUP;
    case 'device':
      return Refused.device;
  }
}
