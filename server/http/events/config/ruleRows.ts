// What is configured, as pages see it.
import type { EventRuleRow, RuleOrigin } from '../../../../shared/protocol/api/eventConfig.ts';
import { BUILT_IN_CODES } from '../../../../shared/protocol/events/builtInTypes.ts';
import type { EventRuleField } from '../../../../shared/protocol/events/eventRules.ts';
import { EVENT_CATEGORIES } from '../../../../shared/protocol/events/eventWords.ts';
import { hasRule } from '../../../../shared/protocol/events/ruleSettings.ts';
import type { RuleState } from '../../../events/acts/rules.ts';
import { isReported } from '../../../events/config/reportedTypes.ts';
import { inheritedAt, RuleIndex, valuesAt } from '../../../events/config/ruleLayers.ts';
import { belongsTo, type RuleScope } from '../../../events/config/ruleScope.ts';
import { isPreviewed } from '../../../events/preview/rulePreviews.ts';
import type { StoredEventType } from '../../../store/events/eventTypes.ts';
import type { StoredEventRule } from '../../../store/events/rules/eventRules.ts';

/** Sorted by category, then by the order of the built-in types; an administrator's own come last. */
export function ruleRows(
  types: readonly StoredEventType[],
  rules: readonly StoredEventRule[],
  at: RuleScope,
): EventRuleRow[] {
  const index = new RuleIndex(rules);
  const listed = types.filter(({ code }) => belongsTo(at.scope, code));
  return listed.toSorted(byCategory).map((type) => ruleRow({ type, at, rules: index }));
}

const ORDER: ReadonlyMap<string, number> = new Map(BUILT_IN_CODES.map((code, at) => [code, at]));

function byCategory(left: StoredEventType, right: StoredEventType): number {
  const [one, other] = [left, right].map(({ category }) => EVENT_CATEGORIES.indexOf(category));
  return (one ?? 0) - (other ?? 0) || orderOf(left) - orderOf(right);
}

function orderOf({ code }: StoredEventType): number {
  return ORDER.get(code) ?? BUILT_IN_CODES.length;
}

export function ruleRow({ type, at, rules }: RuleState): EventRuleRow {
  const { code, category } = type;
  const own = rules.find(code, at.scope);
  const { values, origins } = valuesAt(rules, type, at.place);
  return {
    type: code,
    category,
    hasRule: hasRule(code),
    isReported: isReported(code),
    hasPreview: isPreviewed(code),
    version: own?.version ?? 0,
    own: own?.settings ?? {},
    values,
    origins: namedOrigins(origins, at),
    inherited: inheritedAt(rules, type, at.place),
  };
}

/** Groups of others stay without a name: their settings apply, but the caller may not learn who they are. */
function namedOrigins(origins: Readonly<Record<EventRuleField, RuleOrigin>>, { reach }: RuleScope) {
  const names = new Map(reach.groups.map(({ serialno, name }) => [serialno, name]));
  const named = Object.entries(origins).map(([field, origin]) => {
    const name = names.get(origin.group);
    return [field, origin.kind !== 'group' || name !== undefined ? { ...origin, name: name ?? '' } : nameless(origin)];
  });
  return Object.fromEntries(named) as Readonly<Record<EventRuleField, RuleOrigin>>;
}

function nameless({ kind }: RuleOrigin): RuleOrigin {
  return { kind, name: '', group: 0 };
}
