// The configuration as a tree: the installation, below it the device groups, below these the devices. A place without rules of its
// own shares the object of the place above it.
import { type EventRuleValues, resolveRule } from '../../../shared/protocol/events/eventRules.ts';
import { RULE_CODES, type RuleCode } from '../../../shared/protocol/events/ruleSettings.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import type { StoredEventRule } from '../../store/events/rules/eventRules.ts';
import type { RuledDevice } from '../../store/events/rules/rulePlaces.ts';
import type { TypeSettings } from '../engine/typeSettings.ts';
import { prepareRule } from '../rules/prepareRule.ts';
import type { PreparedRule } from '../rules/rule.ts';
import { activeRuleOf, defaultValuesOf } from './ruleDefaults.ts';
import { type GroupParents, groupChain } from './ruleLayers.ts';

/** The resulting values for one type. */
export interface TypeValues {
  readonly values: EventRuleValues;
  /** Id of the nearest configured rule; 0 for none. */
  readonly rule: number;
  /** Undefined where the type is off. */
  readonly settings: TypeSettings | undefined;
}

/** The settings at one place. Types without settings there are those of the place above. */
export class LayerSettings {
  /** The same for the same layers. */
  readonly key: string;
  readonly #above: LayerSettings | undefined;
  readonly #own: ReadonlyMap<string, TypeValues>;

  constructor(key: string, own: ReadonlyMap<string, TypeValues>, above?: LayerSettings) {
    this.key = key;
    this.#own = own;
    this.#above = above;
  }

  of(type: string): TypeValues | undefined {
    return this.#own.get(type) ?? this.#above?.of(type);
  }

  /** The rules that are on, in a time zone. `before`: the previous list, whose rules are reused, or all of it where nothing differs. */
  rulesIn(timeZone: string, before: readonly PreparedRule[]): readonly PreparedRule[] {
    const known = new Map(before.map((rule) => [rule.key, rule]));
    const rules = RULE_CODES.flatMap((code) => {
      const prepared = this.#prepared(code, timeZone);
      return prepared === undefined ? [] : (known.get(prepared.key) ?? prepared);
    });
    const isSame = rules.length === before.length && rules.every((rule, at) => rule === before[at]);
    return isSame ? before : rules;
  }

  #prepared(code: RuleCode, timeZone: string): PreparedRule | undefined {
    const values = this.of(code)?.values;
    const settings = values === undefined ? undefined : activeRuleOf(code, values);
    return settings === undefined ? undefined : prepareRule(code, settings, timeZone);
  }
}

export interface TreeSources {
  readonly types: readonly StoredEventType[];
  readonly rules: readonly StoredEventRule[];
  readonly parents: GroupParents;
}

const INSTALLATION = 'i';

export class SettingsTree {
  readonly installation: LayerSettings;
  readonly #parents: GroupParents;
  readonly #rules = new Map<string, StoredEventRule[]>();
  readonly #groups = new Map<number, LayerSettings>();

  constructor({ types, rules, parents }: TreeSources) {
    this.#parents = parents;
    for (const rule of rules) this.#rules.set(placeOf(rule), [...(this.#rules.get(placeOf(rule)) ?? []), rule]);
    const defaults = new Map(types.map((type) => [type.code, typeValues(defaultValuesOf(type), 0)]));
    this.installation = this.#below(new LayerSettings('default', defaults), INSTALLATION);
  }

  settingsOf({ deviceId, deviceGroup }: Pick<RuledDevice, 'deviceId' | 'deviceGroup'>): LayerSettings {
    const above = deviceGroup === undefined ? this.installation : this.#groupSettings(deviceGroup);
    return this.#below(above, devicePlace(deviceId));
  }

  #groupSettings(group: number): LayerSettings {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const chain = groupChain(this.#parents, group);
    const settings = chain.reduce((above, each) => this.#below(above, groupPlace(each)), this.installation);
    this.#groups.set(group, settings);
    return settings;
  }

  #below(above: LayerSettings, place: string): LayerSettings {
    const rules = this.#rules.get(place);
    if (rules === undefined) return above;
    const own = new Map<string, TypeValues>();
    for (const { id, type, settings } of rules) {
      const inherited = above.of(type)?.values;
      // The type no longer exists.
      if (inherited === undefined) continue;
      const { values } = resolveRule({ origin: above.key, values: inherited }, [{ origin: place, settings }]);
      own.set(type, typeValues(values, id));
    }
    return new LayerSettings(place === INSTALLATION ? above.key : `${above.key}/${place}`, own, above);
  }
}

function typeValues(values: EventRuleValues, rule: number): TypeValues {
  const { enabled, severity, mergeSeconds, eventsAnHour } = values;
  const settings = enabled ? { severity, mergeMs: mergeSeconds * 1_000, eventsAnHour, rule } : undefined;
  return { values, rule, settings };
}

function placeOf({ scope }: StoredEventRule): string {
  switch (scope.kind) {
    case 'installation':
      return INSTALLATION;
    case 'group':
      return groupPlace(scope.deviceGroup);
    case 'device':
      return devicePlace(scope.deviceId);
  }
}

const groupPlace = (group: number): string => `g${group}`;
const devicePlace = (deviceId: string): string => `d${deviceId}`;
