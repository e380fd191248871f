// Which of the configured rules apply at a place, and the values that result from them. Pure.
import type { RuleOrigin } from '../../../shared/protocol/api/eventConfig.ts';
import {
  type EventRuleValues,
  type ResolvedRule,
  type RuleLayer,
  resolveRule,
} from '../../../shared/protocol/events/eventRules.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import type { EventRuleScope, StoredEventRule } from '../../store/events/rules/eventRules.ts';
import { defaultValuesOf } from './ruleDefaults.ts';

/** Where a device, or a device group, lies. */
export interface RulePlace {
  /** Device groups from the topmost one down to the device's own. Empty: it is in none, or the place is the installation. */
  readonly groups: readonly number[];
  readonly deviceId?: string;
}

export const INSTALLATION: RulePlace = { groups: [] };

/** The group above each group; undefined for those at the top. */
export type GroupParents = ReadonlyMap<number, number | undefined>;

/** Chain of groups from the topmost one down to this one. A missing group ends it, and so does one that occurs twice. */
export function groupChain(parents: GroupParents, group: number | undefined): number[] {
  const chain: number[] = [];
  for (let at = group; at !== undefined && parents.has(at) && !chain.includes(at); at = parents.get(at)) chain.push(at);
  return chain.reverse();
}

/** The rules by type and place, for many look-ups. */
export class RuleIndex {
  readonly #rules = new Map<string, StoredEventRule>();

  constructor(rules: Iterable<StoredEventRule>) {
    for (const rule of rules) this.#rules.set(keyOf(rule.type, rule.scope), rule);
  }

  find(type: string, scope: EventRuleScope): StoredEventRule | undefined {
    return this.#rules.get(keyOf(type, scope));
  }

  /** The rules that apply at the place, the farthest first. */
  at(type: string, place: RulePlace): StoredEventRule[] {
    return scopesOf(place).flatMap((scope) => this.find(type, scope) ?? []);
  }
}

/** The layers of one type at the place, the farthest first. The origins have no names. */
export function ruleLayersOf(rules: RuleIndex, type: string, place: RulePlace): RuleLayer<RuleOrigin>[] {
  return rules.at(type, place).map(({ scope, settings }) => ({ origin: originOf(scope), settings }));
}

/** The resulting values of the type at the place. */
export function valuesAt(rules: RuleIndex, type: StoredEventType, place: RulePlace): ResolvedRule<RuleOrigin> {
  const defaults = { origin: DEFAULT_ORIGIN, values: defaultValuesOf(type) };
  return resolveRule(defaults, ruleLayersOf(rules, type.code, place));
}

/** The values at the place if it had no settings of its own. */
export function inheritedAt(rules: RuleIndex, type: StoredEventType, place: RulePlace): EventRuleValues {
  const above = rules.at(type.code, place).filter(({ scope }) => !isSameScope(scope, scopesOf(place).at(-1)));
  const layers = above.map(({ scope, settings }) => ({ origin: originOf(scope), settings }));
  return resolveRule({ origin: DEFAULT_ORIGIN, values: defaultValuesOf(type) }, layers).values;
}

/** The rules of one type, with other settings in one scope. */
export function withSettings(
  rules: readonly StoredEventRule[],
  { type, scope, settings }: Pick<StoredEventRule, 'type' | 'scope' | 'settings'>,
): RuleIndex {
  const others = rules.filter((rule) => rule.type === type && !isSameScope(rule.scope, scope));
  return new RuleIndex([...others, { id: 0, type, scope, settings, version: 0 }]);
}

function isSameScope(one: EventRuleScope, other: EventRuleScope | undefined): boolean {
  return other !== undefined && keyOf('', one) === keyOf('', other);
}

const DEFAULT_ORIGIN: RuleOrigin = { kind: 'default', name: '', group: 0 };

function originOf(scope: EventRuleScope): RuleOrigin {
  return { kind: scope.kind, name: '', group: scope.kind === 'group' ? scope.deviceGroup : 0 };
}

function scopesOf({ groups, deviceId }: RulePlace): EventRuleScope[] {
  return [
    { kind: 'installation' },
    ...groups.map((deviceGroup) => ({ kind: 'group', deviceGroup }) as const),
    ...(deviceId === undefined ? [] : [{ kind: 'device', deviceId } as const]),
  ];
}

function keyOf(type: string, scope: EventRuleScope): string {
  switch (scope.kind) {
    case 'installation':
      return `${type}/`;
    case 'group':
      return `${type}/group/${scope.deviceGroup}`;
    case 'device':
      return `${type}/device/${scope.deviceId}`;
  }
}
