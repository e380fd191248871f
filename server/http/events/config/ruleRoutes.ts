import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  ChangedEventRule,
  EVENT_RULE_GROUPS_PATH,
  EVENT_RULES_PATH,
  EventRuleRow,
  EventRuleRows,
  RuleGroups,
  RuleScopeQuery,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { createEventRuleActs } from '../../../events/acts/rules.ts';
import { deviceReachOf } from '../../devices/scope.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { actorOf } from '../../kernel/records/recordRoutes.ts';
import { MAY_CONFIGURE_EVENTS as config, type EventConfigDeps } from './eventConfigDeps.ts';
import { refusalOfRule } from './eventConfigRefusals.ts';
import { ruleRow, ruleRows } from './ruleRows.ts';
import { ruleContentOf, scopeOfCall } from './ruleScope.ts';

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
    const at = await scopeOfCall(deps, request, request.query);
    if ('status' in at) return refuse(reply, at);
    const [types, rules] = await Promise.all([eventTypes.all(), eventRules.all()]);
    return ok(ruleRows(types, rules, at));
  });
}

function registerChange(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const acts = createEventRuleActs(deps);
  const schema = {
    summary: 'Changes what is configured of an event type in a scope',
    body: ChangedEventRule,
    response: answers(EventRuleRow),
  };
  routes.put(EVENT_RULES_PATH, { schema, config }, async (request, reply) => {
    const done = await acts.put(actorOf(request), request.body.version, ruleContentOf(request.body));
    return done.ok ? ok(ruleRow(done.value)) : refuse(reply, refusalOfRule(done.reason));
  });
}
