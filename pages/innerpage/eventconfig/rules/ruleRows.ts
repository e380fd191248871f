// The table of rules as data: what is searched, filtered and sorted. Pure.
import type { EventRuleRow, RuleOrigin } from '../../../../shared/protocol/api/eventConfig.ts';
import type { EventTypeName } from '../../../../shared/protocol/api/eventTypes.ts';
import { builtInType } from '../../../../shared/protocol/events/builtInTypes.ts';
import { RULE_ORIGINS } from '../../../../shared/protocol/events/eventRules.ts';
import { EVENT_CATEGORIES, type EventCategory, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { LocalList } from '../../../../shared/ui/table/localPage.ts';

export interface RuleRow extends EventRuleRow {
  /** In the user's language. */
  readonly name: string;
  readonly icon: EventTypeName['icon'];
  readonly color: string;
}

/** '' for all. */
export interface RulesFilter {
  readonly category: EventCategory | '';
  readonly state: 'on' | 'off' | '';
  readonly origin: 'here' | '';
}

export const NO_FILTER: RulesFilter = { category: '', state: '', origin: '' };

/** How many fields the place sets itself. */
export function ownCount({ own }: Pick<EventRuleRow, 'own'>): number {
  return Object.keys(own).length;
}

/** The origin nearest to this place, among those that set a field. */
export function nearestOrigin({ origins }: Pick<EventRuleRow, 'origins'>): RuleOrigin {
  return Object.values(origins).reduce((best, origin) => (rank(origin) > rank(best) ? origin : best));
}

function rank({ kind }: RuleOrigin): number {
  return RULE_ORIGINS.indexOf(kind);
}

/** `compare` sorts names as the user's language does. */
export function ruleList(
  rows: readonly RuleRow[],
  compare: (left: string, right: string) => number,
): LocalList<RuleRow> {
  const byName = (left: RuleRow, right: RuleRow) => compare(left.name, right.name) || compare(left.type, right.type);
  const by = (rank: (row: RuleRow) => number) => (left: RuleRow, right: RuleRow) =>
    rank(left) - rank(right) || byName(left, right);
  return {
    rows,
    keyOf: ({ type }) => type,
    texts: ({ name, type }) => [name, builtInType(type)?.name ?? '', type],
    matches: (row, { category, state, origin }) =>
      isOneOf(row.category, category) &&
      isOneOf(row.values.enabled ? 'on' : 'off', state) &&
      (origin !== 'here' || ownCount(row) > 0),
    orders: {
      name: byName,
      category: by(({ category }) => EVENT_CATEGORIES.indexOf(category)),
      severity: by(({ values }) => SEVERITIES.indexOf(values.severity)),
      enabled: by(({ values }) => (values.enabled ? 0 : 1)),
      origin: by((row) => -ownCount(row)),
    },
  };
}

function isOneOf(value: string, wanted: unknown): boolean {
  return wanted === undefined || wanted === '' || wanted === value;
}
