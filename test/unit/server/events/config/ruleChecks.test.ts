import { describe, expect, it } from 'vitest';
import { faultsOfSettings, setsDriverText, tidySettings } from '../../../../../server/events/config/ruleChecks.ts';
import { defaultValuesOf } from '../../../../../server/events/config/ruleDefaults.ts';
import type { BuiltInCode } from '../../../../../shared/protocol/events/builtInTypes.ts';
import type { EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import { storedType } from './storedType.ts';

const NIGHT = [{ days: [1], fromMinute: 0, toMinute: 360 }];

function faultsOf(type: BuiltInCode, settings: EventRuleSettings, inherited: EventRuleSettings = {}) {
  const values = { ...defaultValuesOf(storedType(type)), ...inherited, ...settings };
  return faultsOfSettings(type, settings, values);
}

describe('settings', () => {
  it.each<[string, BuiltInCode, EventRuleSettings, object]>([
    ['within their bounds', 'speeding', { threshold: 200, clearThreshold: 199 }, {}],
    ['beyond them', 'speeding', { threshold: 201, durationSeconds: -1 }, range('threshold', 'durationSeconds')],
    ['above what is inherited', 'speeding', { clearThreshold: 101 }, range('clearThreshold')],
    ['below an inherited clear threshold', 'speeding', { threshold: 90 }, range('clearThreshold')],
    ['without an optional limit', 'speeding', { clearThreshold: null }, {}],
    ['without a needed one', 'speeding', { threshold: null }, { threshold: 'required' }],
    ['of another rule', 'idling', { threshold: 5 }, { threshold: 'not-allowed' }],
    ['of no rule', 'emergency', { threshold: 5, schedule: [] }, { threshold: 'not-allowed', schedule: 'not-allowed' }],
    ['of no rule, null', 'emergency', { durationSeconds: null }, { durationSeconds: 'not-allowed' }],
    ['that every type has', 'emergency', { severity: 'major', confirms: true, popUp: false }, {}],
    ['of the gateway itself', 'disk-full', { popUp: false, driverText: '' }, { driverText: 'not-allowed' }],
    ['that only terminals answer to', 'offline', { confirms: true }, { confirms: 'not-allowed' }],
    ['of a terminal that was refused', 'identity-changed', { driverText: 'Stop' }, {}],
    ['without hours', 'forbidden-hours', { severity: 'minor' }, { schedule: 'required' }],
    ['with hours', 'forbidden-hours', { schedule: NIGHT }, {}],
    ['off, without hours', 'forbidden-hours', { enabled: false }, {}],
    ['without any temperature', 'cabin-temperature', { enabled: true, threshold: null }, { threshold: 'required' }],
    ['with the lower temperature alone', 'cabin-temperature', { threshold: null, lowThreshold: -18 }, {}],
  ])('%s', (_, type, settings, faults) => {
    expect(faultsOf(type, settings)).toEqual(faults);
  });

  it('are judged by what would hold, inherited limits included', () => {
    expect(faultsOf('speeding', { clearThreshold: 101 }, { threshold: 120 })).toEqual({});
    expect(faultsOf('forbidden-hours', { severity: 'minor' }, { schedule: NIGHT })).toEqual({});
  });

  it('are kept with channels in their order and without spaces around the text', () => {
    const settings = { recordChannels: [4, 1], snapshotChannels: [10, 9], driverText: ' Slow down ', popUp: true };
    expect(tidySettings(settings)).toEqual({
      recordChannels: [1, 4],
      snapshotChannels: [9, 10],
      driverText: 'Slow down',
      popUp: true,
    });
    expect(tidySettings({})).toEqual({});
  });

  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['a first text', 'Slow down', undefined, true],
    ['a text in place of none', 'Slow down', '', true],
    ['another text', 'Stop', 'Slow down', true],
    ['the same text', 'Slow down', 'Slow down', false],
    ['none in place of a text', '', 'Slow down', false],
    ['what is inherited in place of a text', undefined, 'Slow down', false],
    ['nothing in place of nothing', undefined, undefined, false],
  ])('set a text to drivers: %s', (_, driverText, own, expected) => {
    const settings = driverText === undefined ? {} : { driverText };
    expect(setsDriverText(settings, own === undefined ? {} : { driverText: own })).toBe(expected);
  });
});

function range(...fields: string[]): object {
  return Object.fromEntries(fields.map((field) => [field, 'out-of-range']));
}
