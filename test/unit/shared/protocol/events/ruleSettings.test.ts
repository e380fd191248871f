import { describe, expect, it } from 'vitest';
import {
  RULE_CODES,
  RULE_FIELDS,
  type RuleCode,
  type RuleFaults,
  type RuleSettings,
  ruleFaults,
  ruleNumber,
  suggestedSettings,
} from '../../../../../shared/protocol/events/ruleSettings.ts';

const schedule = [{ days: [1], fromMinute: 0, toMinute: 60 }];

describe('the settings of a rule', () => {
  it.each(RULE_CODES)('%s: what the form suggests is accepted', (code) => {
    const needsSchedule = RULE_FIELDS[code].schedule === 'required';
    expect(ruleFaults(code, { ...suggestedSettings(code), ...(needsSchedule && { schedule }) })).toEqual({});
  });

  it.each(RULE_CODES)('%s: each number has bounds around what is suggested', (code) => {
    const { schedule: _, ...numbers } = RULE_FIELDS[code];
    for (const { minimum, maximum, defaultValue = minimum } of Object.values(numbers)) {
      expect(minimum).toBeLessThan(maximum);
      expect(defaultValue).toBeGreaterThanOrEqual(minimum);
      expect(defaultValue).toBeLessThanOrEqual(maximum);
    }
  });

  it.each<[string, RuleCode, RuleSettings, RuleFaults]>([
    ['at their bounds', 'speeding', { threshold: 10, durationSeconds: 3_600 }, {}],
    [
      'below and above them',
      'speeding',
      { threshold: 9, durationSeconds: 3_601 },
      { threshold: 'out-of-range', durationSeconds: 'out-of-range' },
    ],
    ['that are none', 'speeding', { threshold: Number.NaN }, { threshold: 'out-of-range' }],
    [
      'with a clear threshold above the threshold',
      'speeding',
      { threshold: 50, clearThreshold: 51 },
      { clearThreshold: 'out-of-range' },
    ],
    ['with a rest longer than the drive', 'continuous-driving', { threshold: 10, clearThreshold: 20 }, {}],
    [
      'that the rule doesn’t use',
      'idling',
      { threshold: 5, lowThreshold: 1 },
      { threshold: 'not-allowed', lowThreshold: 'not-allowed' },
    ],
    ['without the hours that the rule is about', 'forbidden-hours', { schedule: [] }, { schedule: 'required' }],
    ['with them', 'forbidden-hours', { schedule }, {}],
    ['without either end of a range', 'cabin-temperature', { durationSeconds: 60 }, { threshold: 'required' }],
    ['with one end', 'cabin-temperature', { lowThreshold: -20 }, {}],
    [
      'with ends the wrong way round',
      'cabin-temperature',
      { threshold: 5, lowThreshold: 6 },
      { lowThreshold: 'out-of-range' },
    ],
    ['that are all left out', 'video-loss', {}, {}],
  ])('%s', (_what, code, settings, faults) => {
    expect(ruleFaults(code, settings)).toEqual(faults);
  });

  it.each<
    [
      RuleCode,
      keyof RuleSettings & ('threshold' | 'clearThreshold' | 'lowThreshold' | 'durationSeconds'),
      RuleSettings,
      number | undefined,
    ]
  >([
    ['speeding', 'threshold', { threshold: 70 }, 70],
    ['speeding', 'threshold', {}, 100],
    // Without it, the event ends at the threshold.
    ['speeding', 'clearThreshold', {}, undefined],
    ['speeding', 'lowThreshold', { lowThreshold: 5 }, undefined],
    ['video-loss', 'durationSeconds', { durationSeconds: 0 }, 0],
  ])('of %s, %s of %j is %s', (code, name, settings, expected) => {
    expect(ruleNumber(code, settings, name)).toBe(expected);
  });
});
