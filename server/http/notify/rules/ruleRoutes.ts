// Rules of notifications: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedNotifyRule,
  NOTIFY_RULE_SORTS,
  NOTIFY_RULES_PATH,
  NotifyRule,
  NotifyRuleContent,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { IdText, Nothing } from '../../../../shared/protocol/api/records.ts';
import type { RuleChange } from '../../../store/notify/notifyRules.ts';
import { VersionQuery } from '../../accounts/common.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import {
  MAY_CONFIGURE_NOTIFICATIONS as config,
  NO_NOTIFY_RULE,
  type NotifyRuleDeps,
  TOO_MANY_NOTIFY_RULES,
} from './notifyRuleDeps.ts';
import { faultsOfRule } from './ruleChecks.ts';
import { auditFieldsOfRule, contentOf, RULE_CSV_COLUMNS, ruleCells, toNotifyRule } from './ruleRows.ts';

const params = Type.Object({ id: IdText });
const path = `${NOTIFY_RULES_PATH}/:id`;

/** `/api/eventnotify/rules`. */
export function registerNotifyRules(app: FastifyInstance, deps: NotifyRuleDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
  registerChanging(app, deps);
  registerRemoving(app, deps);
}

function registerReading(app: FastifyInstance, { stores }: NotifyRuleDeps): void {
  listRoutes(app, {
    path: NOTIFY_RULES_PATH,
    summary: 'Notification rules',
    access: config.access,
    row: NotifyRule,
    sorts: NOTIFY_RULE_SORTS,
    order: { sort: 'name', descending: false },
    filters: {},
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async (query, memberGroup) => {
      const page = await stores.notifyRules.page({ ...query, memberGroup });
      return page && { ...page, rows: page.rows.map(toNotifyRule) };
    },
    csv: {
      fileName: 'notification-rules.csv',
      columns: RULE_CSV_COLUMNS,
      cells: () => ruleCells(stores.notifySenderNames),
    },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A notification rule', params, response: answers(NotifyRule) };
  routes.get(path, { schema, config }, async (request, reply) => {
    const { id } = request.params;
    const rule = await stores.notifyRules.find(Number(id), scopeOf(callerOf(request)).memberGroup);
    return rule === undefined ? refuse(reply, NO_NOTIFY_RULE) : ok(toNotifyRule(rule));
  });
}

function registerAdding(app: FastifyInstance, deps: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a notification rule', body: NotifyRuleContent, response: answers(NotifyRule) };
  routes.post(NOTIFY_RULES_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const refusal = await refusalOfRule(request, request.body, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const { memberGroup } = scopeOf(callerOf(request));
    const added = await deps.stores.notifyRules.insert(memberGroup, changeOf(request, request.body, deps));
    if (!added.ok) return refuse(reply, TOO_MANY_NOTIFY_RULES);
    const { name: target } = added.value;
    await recordAudit(request, { action: 'notifyrule.add', target, after: auditFieldsOfRule(added.value) });
    await deps.notifySettings.reload();
    return ok(toNotifyRule(added.value));
  });
}

function registerChanging(app: FastifyInstance, deps: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Changes a notification rule',
    params,
    body: ChangedNotifyRule,
    response: answers(NotifyRule),
  };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const id = Number(request.params.id);
    const { memberGroup } = scopeOf(callerOf(request));
    if ((await deps.stores.notifyRules.find(id, memberGroup)) === undefined) return refuse(reply, NO_NOTIFY_RULE);
    const refusal = await refusalOfRule(request, content, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const named = { id, memberGroup, version };
    const done = await deps.stores.notifyRules.update(named, changeOf(request, content, deps));
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'notifyrule.change',
      target: after.name,
      before: auditFieldsOfRule(before),
      after: auditFieldsOfRule(after),
    });
    await deps.notifySettings.reload();
    return ok(toNotifyRule(after));
  });
}

function registerRemoving(app: FastifyInstance, deps: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Deletes a notification rule',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version: Number(request.query.version) };
    const done = await deps.stores.notifyRules.remove(named);
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { name: target } = done.value;
    await recordAudit(request, { action: 'notifyrule.remove', target, before: auditFieldsOfRule(done.value) });
    await deps.notifySettings.reload();
    return ok({});
  });
}

/** Undefined where nothing is wrong. */
export async function refusalOfRule(
  request: FastifyRequest,
  content: NotifyRuleContent,
  { stores }: Pick<NotifyRuleDeps, 'stores'>,
): Promise<Refusal | undefined> {
  const { memberGroup } = scopeOf(callerOf(request));
  const [choices, types] = await Promise.all([stores.notifyChoices.choices(memberGroup), stores.eventTypes.all()]);
  const faults = faultsOfRule(content, choices, new Set(types.map(({ code }) => code)));
  return Object.keys(faults).length === 0 ? undefined : refusedFields(faults);
}

function changeOf(
  request: FastifyRequest,
  content: NotifyRuleContent,
  { now }: Pick<NotifyRuleDeps, 'now'>,
): RuleChange {
  return { content: contentOf(content), by: callerOf(request).user.username, atMs: now() };
}

interface Refused {
  readonly named: { readonly id: number; readonly memberGroup: number };
  readonly deps: NotifyRuleDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict',
  { named, deps }: Refused,
): Promise<FastifyReply> {
  if (reason === 'gone') return refuse(reply, NO_NOTIFY_RULE);
  const current = await deps.stores.notifyRules.find(named.id, named.memberGroup);
  return refuse(reply, conflictWith(current === undefined ? null : toNotifyRule(current)));
}
