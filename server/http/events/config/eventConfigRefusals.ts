// Why calls that configure events are refused.
import { isOfGateway } from '../../../events/config/gatewayTypes.ts';
import type { EventRuleScope } from '../../../store/events/rules/eventRules.ts';

export const TOO_MANY_RULES = {
  status: 409,
  code: 'too-many-rules',
  message: "You've reached the limit of event settings. Remove some that aren't needed first.",
} as const;

/** What else than positions its rule goes by isn't kept; or there is no rule, and terminals alone report it. */
export const NO_PREVIEW = {
  status: 409,
  code: 'no-preview',
  message: "This event type can't be previewed. Only rules that use positions alone can.",
} as const;
export const TOO_MANY_PREVIEWS = {
  status: 429,
  code: 'too-many-previews',
  message: 'Other previews are running. Try again in a moment.',
} as const;

/** Whether the type has anything to configure in such a scope. */
export function belongsTo(scope: EventRuleScope, type: string): boolean {
  return scope.kind === 'installation' || !isOfGateway(type);
}
