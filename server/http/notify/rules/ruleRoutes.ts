// Rules of notifications: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedNotifyRule,
  NOTIFY_RULE_SORTS,
  NOTIFY_RULES_PATH,
  NotifyRule,
  NotifyRuleContent,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { IdText } from '../../../../shared/protocol/api/records.ts';
import { createNotifyRuleActs } from '../../../notify/acts/rules.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { recordRoutes } from '../../kernel/records/recordRoutes.ts';
import {
  MAY_CONFIGURE_NOTIFICATIONS as config,
  NO_NOTIFY_RULE,
  type NotifyRuleDeps,
  TOO_MANY_NOTIFY_RULES,
} from './notifyRuleDeps.ts';
import { RULE_CSV_COLUMNS, ruleCells, toNotifyRule } from './ruleRows.ts';

const params = Type.Object({ id: IdText });

/** `/api/eventnotify/rules`. */
export function registerNotifyRules(app: FastifyInstance, { stores, bus, now }: NotifyRuleDeps): void {
  const { notifyRules, notifyChoices, notifySenderNames, eventTypes } = stores;
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
      const page = await notifyRules.page({ ...query, memberGroup });
      return page && { ...page, rows: page.rows.map(toNotifyRule) };
    },
    csv: {
      fileName: 'notification-rules.csv',
      columns: RULE_CSV_COLUMNS,
      cells: () => ruleCells(notifySenderNames),
    },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A notification rule', params, response: answers(NotifyRule) };
  routes.get(`${NOTIFY_RULES_PATH}/:id`, { schema, config }, async (request, reply) => {
    const { id } = request.params;
    const rule = await notifyRules.find(Number(id), scopeOf(callerOf(request)));
    return rule === undefined ? refuse(reply, NO_NOTIFY_RULE) : ok(toNotifyRule(rule));
  });
  recordRoutes(app, {
    path: NOTIFY_RULES_PATH,
    noun: 'a notification rule',
    access: config.access,
    content: NotifyRuleContent,
    changed: ChangedNotifyRule,
    row: NotifyRule,
    acts: createNotifyRuleActs({ store: notifyRules, choices: notifyChoices, types: eventTypes, bus, now }),
    show: toNotifyRule,
    refusals: { gone: NO_NOTIFY_RULE, tooMany: TOO_MANY_NOTIFY_RULES },
  });
}
