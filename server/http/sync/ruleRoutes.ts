// Rules of data sync: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import {
  ChangedSyncRule,
  MAX_SYNC_RULES,
  SYNC_RULE_SORTS,
  SYNC_RULES_PATH,
  SyncRule,
  SyncRuleContent,
} from '../../../shared/protocol/api/sync/sync.ts';
import type { StoredSyncRule, SyncRuleChange } from '../../store/sync/syncRules.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { faultsOfRule, storedRule } from './ruleChecks.ts';
import { MAY_SYNC as config, NO_RULE, type SyncRoutesDeps, TOO_MANY_RULES } from './syncDeps.ts';
import { auditFieldsOfRule, RULE_CSV_COLUMNS, ruleCells, toSyncRule } from './syncRows.ts';

const params = Type.Object({ id: IdText });
const path = `${SYNC_RULES_PATH}/:id`;

/** `/api/datasync/rules`. */
export function registerSyncRules(app: FastifyInstance, deps: SyncRoutesDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
  registerChange(app, deps);
  registerRemoving(app, deps);
}

function registerReading(app: FastifyInstance, { stores }: SyncRoutesDeps): void {
  listRoutes(app, {
    path: SYNC_RULES_PATH,
    summary: 'Rules of data sync',
    access: config.access,
    row: SyncRule,
    sorts: SYNC_RULE_SORTS,
    order: { sort: 'priority', descending: false },
    filters: {},
    // A filter gives all of them to select from.
    maxRows: MAX_SYNC_RULES,
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async (query, memberGroup) => {
      const page = await stores.syncRules.page({ ...query, memberGroup });
      if (page === undefined) return undefined;
      const open = await stores.syncItemPages.countOpen(page.rows.map(({ id }) => id));
      return { ...page, rows: page.rows.map((rule) => toSyncRule(rule, open.get(rule.id) ?? 0)) };
    },
    csv: { fileName: 'sync-rules.csv', columns: RULE_CSV_COLUMNS, cells: () => ruleCells },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A rule of data sync', params, response: answers(SyncRule) };
  routes.get(path, { schema, config }, async (request, reply) => {
    const rule = await stores.syncRules.find(Number(request.params.id), scopeOf(callerOf(request)).memberGroup);
    return rule === undefined ? refuse(reply, NO_RULE) : ok(await shown(rule, { stores }));
  });
}

function registerAdding(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a rule of data sync', body: SyncRuleContent, response: answers(SyncRule) };
  routes.post(SYNC_RULES_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const refusal = await refusalOfRule(request, request.body, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const { memberGroup } = scopeOf(callerOf(request));
    const added = await deps.stores.syncRules.insert(memberGroup, changeOf(request, request.body, deps));
    if (!added.ok) return refuse(reply, TOO_MANY_RULES);
    const { id, content } = added.value;
    await recordAudit(request, { action: 'syncrule.add', target: content.name, after: auditFieldsOfRule(content) });
    await deps.sync.ruleChanged(memberGroup, id);
    return ok(await shown(added.value, deps));
  });
}

function registerChange(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Changes a rule of data sync', params, body: ChangedSyncRule, response: answers(SyncRule) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const id = Number(request.params.id);
    const { memberGroup } = scopeOf(callerOf(request));
    if ((await deps.stores.syncRules.find(id, memberGroup)) === undefined) return refuse(reply, NO_RULE);
    const refusal = await refusalOfRule(request, content, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const named = { id, memberGroup, version };
    const done = await deps.stores.syncRules.update(named, changeOf(request, content, deps));
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'syncrule.change',
      target: after.content.name,
      before: auditFieldsOfRule(before.content),
      after: auditFieldsOfRule(after.content),
    });
    await deps.sync.ruleChanged(memberGroup, id);
    return ok(await shown(after, deps));
  });
}

function registerRemoving(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Deletes a rule of data sync',
    params,
    querystring: VersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version: Number(request.query.version) };
    // Items keep no rule that is gone, so what it has planned could not be found afterwards.
    const found = await deps.stores.syncRules.find(named.id, memberGroup);
    if (found?.version === named.version) await deps.stores.syncItems.dropPlanned(named.id);
    const done = await deps.stores.syncRules.remove(named);
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { content } = done.value;
    await recordAudit(request, { action: 'syncrule.remove', target: content.name, before: auditFieldsOfRule(content) });
    await deps.sync.ruleChanged(memberGroup, named.id);
    return ok({});
  });
}

async function shown(rule: StoredSyncRule, { stores }: Pick<SyncRoutesDeps, 'stores'>): Promise<SyncRule> {
  return toSyncRule(rule, (await stores.syncItemPages.countOpen([rule.id])).get(rule.id) ?? 0);
}

/** Undefined where nothing is wrong. */
async function refusalOfRule(
  request: FastifyRequest,
  content: SyncRuleContent,
  { stores }: Pick<SyncRoutesDeps, 'stores'>,
): Promise<Refusal | undefined> {
  const { memberGroup } = scopeOf(callerOf(request));
  const [deviceGroups, devices] = await Promise.all([
    stores.fenceReach.deviceGroups(memberGroup),
    stores.fenceReach.devices(memberGroup, content.devices),
  ]);
  const faults = faultsOfRule(content, {
    deviceGroups: new Set(deviceGroups),
    devices: new Set(devices.map(({ deviceId }) => deviceId)),
  });
  return Object.keys(faults).length === 0 ? undefined : refusedFields(faults);
}

function changeOf(request: FastifyRequest, content: SyncRuleContent, { now }: SyncRoutesDeps): SyncRuleChange {
  return { content: storedRule(content), by: callerOf(request).user.username, atMs: now() };
}

interface Refused {
  readonly named: { readonly id: number; readonly memberGroup: number };
  readonly deps: SyncRoutesDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict',
  { named, deps }: Refused,
): Promise<FastifyReply> {
  if (reason === 'gone') return refuse(reply, NO_RULE);
  const current = await deps.stores.syncRules.find(named.id, named.memberGroup);
  return refuse(reply, conflictWith(current === undefined ? null : await shown(current, deps)));
}
