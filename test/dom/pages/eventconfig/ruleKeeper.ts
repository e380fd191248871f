// What is configured, as the gateway keeps it: settings by place and type, resolved field by field, with versions.
import type {
  ChangedEventRule,
  EventRuleRow,
  RuleGroup,
  RuleOrigin,
  RuleScopeQuery,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { BUILT_IN_TYPES, type BuiltInCode, builtInType } from '../../../../shared/protocol/events/builtInTypes.ts';
import {
  type EventRuleSettings,
  type EventRuleValues,
  type RuleLayer,
  resolveRule,
} from '../../../../shared/protocol/events/eventRules.ts';
import { hasRule, suggestedSettings } from '../../../../shared/protocol/events/ruleSettings.ts';

export const GROUPS: readonly RuleGroup[] = [
  { id: 1, name: 'North', parent: null },
  { id: 3, name: 'Harbor', parent: 1 },
  { id: 2, name: 'South', parent: null },
];

/** The types that the device doesn't report, of those that the tests look at. */
const NOT_REPORTED = ['idling', 'forbidden-hours', 'gateway-started'];

const DEFAULT: RuleOrigin = { kind: 'default', name: '', group: 0 };

interface Kept {
  readonly settings: EventRuleSettings;
  readonly version: number;
}

/** The rules of a device of the group Harbor, which lies in North. */
export class RuleKeeper {
  readonly #kept = new Map<string, Kept>();

  set(place: RuleScopeQuery, type: string, settings: EventRuleSettings): void {
    const key = keyOf(place, type);
    this.#kept.set(key, { settings, version: (this.#kept.get(key)?.version ?? 0) + 1 });
  }

  own(place: RuleScopeQuery, type: string): EventRuleSettings {
    return this.#kept.get(keyOf(place, type))?.settings ?? {};
  }

  version(place: RuleScopeQuery, type: string): number {
    return this.#kept.get(keyOf(place, type))?.version ?? 0;
  }

  rows(place: RuleScopeQuery, types: readonly string[] = Object.keys(BUILT_IN_TYPES)): readonly EventRuleRow[] {
    return types.map((type) => this.row(place, type));
  }

  row(place: RuleScopeQuery, type: string): EventRuleRow {
    const layers = placesAbove(place).map((each) => ({ origin: originOf(each), settings: this.own(each, type) }));
    const defaults = { origin: DEFAULT, values: defaultValues(type) };
    const own: RuleLayer<RuleOrigin> = { origin: originOf(place), settings: this.own(place, type) };
    return {
      type,
      category: builtInType(type)?.category ?? 'device',
      hasRule: hasRule(type),
      isReported: !NOT_REPORTED.includes(type),
      hasPreview: hasRule(type),
      version: this.version(place, type),
      own: own.settings,
      ...resolveRule(defaults, [...layers, own]),
      inherited: resolveRule(defaults, layers).values,
    };
  }

  /** Undefined if somebody else has changed them first. */
  change({ type, version, settings, ...place }: ChangedEventRule): EventRuleRow | undefined {
    if (version !== this.version(place, type)) return undefined;
    this.set(place, type, settings);
    return this.row(place, type);
  }
}

function keyOf({ scope, group = '', deviceid = '' }: RuleScopeQuery, type: string): string {
  return [scope, group, deviceid, type].join(' ');
}

/** The places above this one, the farthest first. */
function placesAbove({ scope, group }: RuleScopeQuery): readonly RuleScopeQuery[] {
  const installation = { scope: 'installation' } as const;
  switch (scope) {
    case 'installation':
      return [];
    case 'group':
      return group === '3' ? [installation, { scope: 'group', group: '1' }] : [installation];
    case 'device':
      return [installation, { scope: 'group', group: '1' }, { scope: 'group', group: '3' }];
  }
}

function originOf({ scope, group = '0' }: RuleScopeQuery): RuleOrigin {
  const id = Number(group);
  return { kind: scope, name: GROUPS.find((each) => each.id === id)?.name ?? '', group: id };
}

function defaultValues(type: string): EventRuleValues {
  const numbers = hasRule(type) ? suggestedSettings(type) : {};
  return {
    enabled: type !== 'forbidden-hours',
    severity: BUILT_IN_TYPES[type as BuiltInCode].severity,
    threshold: numbers.threshold ?? null,
    clearThreshold: numbers.clearThreshold ?? null,
    lowThreshold: numbers.lowThreshold ?? null,
    durationSeconds: numbers.durationSeconds ?? null,
    schedule: [],
    mergeSeconds: 60,
    eventsAnHour: 30,
    recordChannels: [],
    recordSeconds: 60,
    snapshotChannels: [],
    requestsFiles: false,
    popUp: false,
    driverText: '',
    isSpoken: false,
    confirms: false,
  };
}
