// Why calls that configure events are refused.
import type { EventRuleRefusal } from '../../../events/acts/rules.ts';
import type { ScopeRefusal } from '../../../events/config/ruleScope.ts';
import { NO_GROUP } from '../../devices/scope.ts';
import { conflictWith, type Refusal, Refused } from '../../kernel/envelope.ts';
import { contentRefusal } from '../../kernel/records/recordRoutes.ts';
import { NO_EVENT_TYPE } from '../eventDefineRefusals.ts';
import { ruleRow } from './ruleRows.ts';

const TOO_MANY_RULES = {
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

export function refusalOfScope(refused: ScopeRefusal): Refusal {
  switch (refused.kind) {
    case 'no-group':
      return NO_GROUP;
    case 'no-device':
      return Refused.device;
    default:
      return contentRefusal(refused, {});
  }
}

export function refusalOfRule(refused: EventRuleRefusal): Refusal {
  switch (refused.kind) {
    case 'no-type':
      return NO_EVENT_TYPE;
    case 'too-many':
      return TOO_MANY_RULES;
    case 'conflict':
      return conflictWith(ruleRow(refused.current));
    default:
      return refusalOfScope(refused);
  }
}
