// Which installation, device group or device a call is about, as far as the caller reaches it.
import type { FastifyRequest } from 'fastify';
import type { ChangedEventRule, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import type { EventRuleContent } from '../../../events/acts/rules.ts';
import { type RuleScope, type RuleTarget, ruleScopeOf, type ScopeStores } from '../../../events/config/ruleScope.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import type { Refusal } from '../../kernel/envelope.ts';
import { refusalOfScope } from './eventConfigRefusals.ts';

export async function scopeOfCall(
  { stores }: { readonly stores: ScopeStores },
  request: FastifyRequest,
  query: RuleScopeQuery,
): Promise<RuleScope | Refusal> {
  const found = await ruleScopeOf(stores, scopeOf(callerOf(request)).memberGroup, targetOf(query));
  return found.ok ? found.value : refusalOfScope(found.reason);
}

export function ruleContentOf(body: ChangedEventRule): EventRuleContent {
  const { type, settings } = body;
  return { target: targetOf(body), type, settings };
}

function targetOf({ scope: kind, group, deviceid: deviceId }: RuleScopeQuery): RuleTarget {
  return { kind, group: group === undefined ? undefined : Number(group), deviceId };
}
