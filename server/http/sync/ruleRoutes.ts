// Rules of data sync: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { IdText } from '../../../shared/protocol/api/records.ts';
import {
  ChangedSyncRule,
  MAX_SYNC_RULES,
  SYNC_RULE_SORTS,
  SYNC_RULES_PATH,
  SyncRule,
  SyncRuleContent,
} from '../../../shared/protocol/api/sync/sync.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import { createSyncRuleActs } from '../../sync/acts/rules.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordRoutes } from '../kernel/records/recordRoutes.ts';
import { MAY_SYNC as config, NO_RULE, type SyncRoutesDeps, TOO_MANY_RULES } from './syncDeps.ts';
import { RULE_CSV_COLUMNS, ruleCells, toSyncRule } from './syncRows.ts';

const params = Type.Object({ id: IdText });

/** `/api/datasync/rules`. */
export function registerSyncRules(app: FastifyInstance, { stores, bus, now }: SyncRoutesDeps): void {
  const { syncRules, syncItems, syncItemPages, fenceReach } = stores;
  const show = async (rule: StoredSyncRule): Promise<SyncRule> =>
    toSyncRule(rule, (await syncItemPages.countOpen([rule.id])).get(rule.id) ?? 0);
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
      const page = await syncRules.page({ ...query, memberGroup });
      if (page === undefined) return undefined;
      const open = await syncItemPages.countOpen(page.rows.map(({ id }) => id));
      return { ...page, rows: page.rows.map((rule) => toSyncRule(rule, open.get(rule.id) ?? 0)) };
    },
    csv: { fileName: 'sync-rules.csv', columns: RULE_CSV_COLUMNS, cells: () => ruleCells },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A rule of data sync', params, response: answers(SyncRule) };
  routes.get(`${SYNC_RULES_PATH}/:id`, { schema, config }, async (request, reply) => {
    const rule = await syncRules.find(Number(request.params.id), scopeOf(callerOf(request)));
    return rule === undefined ? refuse(reply, NO_RULE) : ok(await show(rule));
  });
  recordRoutes(app, {
    path: SYNC_RULES_PATH,
    noun: 'a rule of data sync',
    access: config.access,
    content: SyncRuleContent,
    changed: ChangedSyncRule,
    row: SyncRule,
    acts: createSyncRuleActs({ store: syncRules, items: syncItems, reach: fenceReach, bus, now }),
    show,
    refusals: { gone: NO_RULE, tooMany: TOO_MANY_RULES },
  });
}
