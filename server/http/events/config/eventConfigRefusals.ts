// Why calls that configure events are refused.
import { isOfGateway } from '../../../events/config/gatewayTypes.ts';
import type { EventRuleScope } from '../../../store/events/rules/eventRules.ts';

export const TOO_MANY_RULES = {
  status: 409,
  code: 'too-many-rules',
  message: "You've reached the limit of event settings. Remove some that aren't needed first.",
} as const;

/** Whether the type has anything to configure in such a scope. */
export function belongsTo(scope: EventRuleScope, type: string): boolean {
  return scope.kind === 'installation' || !isOfGateway(type);
}
