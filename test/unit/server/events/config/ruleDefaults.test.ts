import { describe, expect, it } from 'vitest';
import { activeRuleOf, defaultValuesOf } from '../../../../../server/events/config/ruleDefaults.ts';
import { BUILT_IN_CODES } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { EVENT_RULE_FIELDS, type EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import type { RuleCode } from '../../../../../shared/protocol/events/ruleSettings.ts';
import { storedType } from './storedType.ts';

const valuesOf = (code: RuleCode, changes: EventRuleSettings = {}) => ({
  ...defaultValuesOf(storedType(code)),
  ...changes,
});

describe('the defaults', () => {
  it('have every field, of every type', () => {
    for (const code of BUILT_IN_CODES) {
      expect(Object.keys(defaultValuesOf(storedType(code))).sort(), code).toEqual([...EVENT_RULE_FIELDS].sort());
    }
  });

  it('are what Event Define says, and what the rule suggests', () => {
    const type = storedType('speeding', { severity: 'minor', enabled: false, snapshotChannels: [1, 4] });
    expect(defaultValuesOf(type)).toEqual({
      enabled: false,
      severity: 'minor',
      threshold: 100,
      clearThreshold: 95,
      lowThreshold: null,
      durationSeconds: 10,
      schedule: [],
      mergeSeconds: 60,
      eventsAnHour: 30,
      recordChannels: [],
      recordSeconds: 60,
      snapshotChannels: [1, 4],
      requestsFiles: true,
      popUp: false,
      driverText: '',
      isSpoken: false,
      confirms: false,
    });
  });

  it('merge no levels of a data plan, each of which is told', () => {
    expect(defaultValuesOf(storedType('data-plan-level')).mergeSeconds).toBe(0);
    expect(defaultValuesOf(storedType('data-plan-forecast')).mergeSeconds).toBe(60);
  });

  it('have no numbers where there is no rule, and a window for what is critical', () => {
    const numbers = { threshold: null, clearThreshold: null, lowThreshold: null, durationSeconds: null };
    expect(defaultValuesOf(storedType('emergency'))).toMatchObject({ ...numbers, popUp: true });
  });
});

describe('the rule that is evaluated', () => {
  it.each<[string, RuleCode, EventRuleSettings, object | undefined]>([
    ['has the numbers', 'speeding', {}, { threshold: 100, clearThreshold: 95, durationSeconds: 10, schedule: [] }],
    [
      'has no limits where they are null',
      'speeding',
      { clearThreshold: null },
      { threshold: 100, durationSeconds: 10, schedule: [] },
    ],
    [
      'ends with the threshold where that was lowered below the clear threshold',
      'speeding',
      { threshold: 80 },
      { threshold: 80, durationSeconds: 10, schedule: [] },
    ],
    ['is none where the type is off', 'speeding', { enabled: false }, undefined],
    ['is none without the hours that it is about', 'forbidden-hours', {}, undefined],
    ['is none without any limit', 'cabin-temperature', { threshold: null, lowThreshold: null }, undefined],
    ['is none where both ends are the wrong way round', 'cabin-temperature', { lowThreshold: 50 }, undefined],
  ])('%s', (_, code, changes, expected) => {
    expect(activeRuleOf(code, valuesOf(code, changes))).toEqual(expected);
  });
});
