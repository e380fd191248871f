import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultValuesOf } from '../../../../../server/events/config/ruleDefaults.ts';
import {
  groupChain,
  INSTALLATION,
  RuleIndex,
  type RulePlace,
  ruleLayersOf,
  valuesAt,
} from '../../../../../server/events/config/ruleLayers.ts';
import type { EventRuleScope, StoredEventRule } from '../../../../../server/store/events/rules/eventRules.ts';
import { EVENT_RULE_FIELDS, type EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import { storedType } from './storedType.ts';

const BUSES = 1;
const NORTH = 2;
const TRUCKS = 3;
const BUS: RulePlace = { groups: [BUSES, NORTH], deviceId: 'bus-7' };
const NO_ORIGIN = { name: '', group: 0 };

const installation: EventRuleScope = { kind: 'installation' };
const group = (deviceGroup: number): EventRuleScope => ({ kind: 'group', deviceGroup });
const device = (deviceId: string): EventRuleScope => ({ kind: 'device', deviceId });

let nextId = 1;
function rule(scope: EventRuleScope, settings: EventRuleSettings, type = 'speeding'): StoredEventRule {
  return { id: nextId++, type, scope, settings, version: 1 };
}

describe('the chain of groups', () => {
  const parents = new Map([
    [BUSES, undefined],
    [NORTH, BUSES],
    [5, NORTH],
    [6, 99],
    [7, 8],
    [8, 7],
  ]);
  it.each([
    ['of a group beneath others', 5, [BUSES, NORTH, 5]],
    ['of one at the top', BUSES, [BUSES]],
    ['of none', undefined, []],
    ['of one that is gone', 99, []],
    ['beneath one that is gone', 6, [6]],
    ['in a circle', 7, [8, 7]],
  ])('%s', (_, from, chain) => {
    expect(groupChain(parents, from)).toEqual(chain);
  });
});

describe('what holds at a place', () => {
  it('is the default where nothing is configured', () => {
    const { values, origins } = valuesAt(new RuleIndex([]), storedType('speeding'), BUS);
    expect(values).toEqual(defaultValuesOf(storedType('speeding')));
    expect(new Set(Object.values(origins))).toEqual(new Set([{ kind: 'default', ...NO_ORIGIN }]));
  });

  it('is what the nearest place says, field by field', () => {
    const rules = new RuleIndex([
      rule(device('bus-7'), { threshold: 60 }),
      rule(group(NORTH), { threshold: 70, popUp: true }),
      rule(installation, { threshold: 90, popUp: false, severity: 'critical', mergeSeconds: 0 }),
      rule(group(BUSES), { threshold: 80, popUp: false, severity: 'minor' }),
    ]);
    const { values, origins } = valuesAt(rules, storedType('speeding'), BUS);
    expect(values).toMatchObject({ threshold: 60, popUp: true, severity: 'minor', mergeSeconds: 0, eventsAnHour: 30 });
    expect(origins).toMatchObject({
      threshold: { kind: 'device', ...NO_ORIGIN },
      popUp: { kind: 'group', name: '', group: NORTH },
      severity: { kind: 'group', name: '', group: BUSES },
      mergeSeconds: { kind: 'installation', ...NO_ORIGIN },
      eventsAnHour: { kind: 'default', ...NO_ORIGIN },
    });
  });

  it('is nothing that other types, groups or devices have', () => {
    const rules = new RuleIndex([
      rule(group(TRUCKS), { threshold: 60 }),
      rule(device('bus-8'), { threshold: 61 }),
      rule(device('1'), { threshold: 62 }),
      rule(group(BUSES), { threshold: 63 }, 'harsh-braking'),
    ]);
    expect(ruleLayersOf(rules, 'speeding', BUS)).toEqual([]);
    expect(ruleLayersOf(rules, 'speeding', INSTALLATION)).toEqual([]);
  });

  it('can be that there is no limit', () => {
    const rules = new RuleIndex([rule(installation, { clearThreshold: null })]);
    expect(valuesAt(rules, storedType('speeding'), BUS).values.clearThreshold).toBeNull();
  });
});

const someSettings: fc.Arbitrary<EventRuleSettings> = fc.record(
  {
    enabled: fc.boolean(),
    threshold: fc.option(fc.integer({ min: 10, max: 200 })),
    mergeSeconds: fc.integer({ min: 0, max: 3_600 }),
    recordChannels: fc.constantFrom([], [1], [1, 2]),
    popUp: fc.boolean(),
  },
  { requiredKeys: [] },
);
const NEAREST_FIRST = [device('bus-7'), group(NORTH), group(BUSES), installation];
const someScopes = fc.uniqueArray(fc.constantFrom(...NEAREST_FIRST, group(TRUCKS), device('bus-8')));

describe('layers', () => {
  it('give each field the value of the nearest place that has it, whatever the order of the rules', () => {
    fc.assert(
      fc.property(someScopes, fc.array(someSettings, { minLength: 6, maxLength: 6 }), (scopes, settings) => {
        const rules = scopes.map((scope, at) => rule(scope, settings[at] ?? {}));
        const { values } = valuesAt(new RuleIndex(rules), storedType('speeding'), BUS);
        const defaults = defaultValuesOf(storedType('speeding'));
        for (const field of EVENT_RULE_FIELDS) {
          const places = NEAREST_FIRST.flatMap((scope) => rules.find((each) => each.scope === scope) ?? []);
          const nearest = places.find((each) => each.settings[field] !== undefined);
          expect(values[field]).toEqual(nearest === undefined ? defaults[field] : nearest.settings[field]);
        }
      }),
    );
  });
});
