import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkRule,
  draftOfRule,
  inheritedDraft,
  type RuleDraft,
  settingsOfDraft,
} from '../../../../pages/innerpage/eventconfig/rule/ruleForm.ts';
import { shownNumber, toKept, toShown } from '../../../../pages/innerpage/eventconfig/rule/ruleNumbers.ts';
import type { EventRuleSettings } from '../../../../shared/protocol/events/eventRules.ts';
import { RULE_CODES } from '../../../../shared/protocol/events/ruleSettings.ts';
import { RuleKeeper } from '../../../dom/pages/eventconfig/ruleKeeper.ts';

const INSTALLATION = { scope: 'installation' } as const;
const NORTH = { scope: 'group', group: '1' } as const;

const TEXTS = {
  range: (minimum: number, maximum: number) => `${minimum} to ${maximum}`,
  wholeRange: (minimum: number, maximum: number) => `whole ${minimum} to ${maximum}`,
  noThreshold: 'no threshold',
  noSchedule: 'no schedule',
};

function rowWith(type: string, settings: EventRuleSettings) {
  const keeper = new RuleKeeper();
  keeper.set(NORTH, type, settings);
  return keeper.row(NORTH, type);
}

type Changed = { readonly [Name in keyof RuleDraft]?: RuleDraft[Name]['value'] };

function problemsOf(type: string, changes: Changed) {
  const draft = draftOfRule(rowWith(type, {}));
  const changed = Object.entries(changes).map(([name, value]) => [name, { isOwn: true, value }]);
  const problems = checkRule(type, { ...draft, ...Object.fromEntries(changed) }, TEXTS);
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
}

describe('what is set in a place', () => {
  test('is sent, and nothing that is inherited', () => {
    const settings: EventRuleSettings = {
      threshold: 90,
      clearThreshold: null,
      durationSeconds: 20,
      recordChannels: [1, 2],
      driverText: 'Slow down',
      confirms: false,
    };
    expect(settingsOfDraft('speeding', draftOfRule(rowWith('speeding', settings)))).toEqual(settings);
    expect(settingsOfDraft('speeding', draftOfRule(rowWith('speeding', {})))).toEqual({});
  });

  test('is inherited again, field by field', () => {
    const keeper = new RuleKeeper();
    keeper.set(INSTALLATION, 'speeding', { threshold: 110 });
    keeper.set(NORTH, 'speeding', { threshold: 90, durationSeconds: 5 });
    const row = keeper.row(NORTH, 'speeding');
    const inherited = inheritedDraft(row);
    expect(inherited.threshold).toEqual({ isOwn: false, value: 110 });
    const draft = { ...draftOfRule(row), threshold: inherited.threshold };
    expect(settingsOfDraft('speeding', draft)).toEqual({ durationSeconds: 5 });
  });

  test('is sent as it should be kept: channels in order, text without spaces around it', () => {
    const draft: RuleDraft = {
      ...draftOfRule(rowWith('speeding', {})),
      snapshotChannels: { isOwn: true, value: ['10', '2'] },
      driverText: { isOwn: true, value: ' Slow down ' },
    };
    expect(settingsOfDraft('speeding', draft)).toEqual({ snapshotChannels: [2, 10], driverText: 'Slow down' });
  });
});

describe('durations', () => {
  test('that are shown in minutes are kept in seconds', () => {
    expect(draftOfRule(rowWith('idling', { durationSeconds: 600 })).durationSeconds.value).toBe(10);
    const draft = { ...draftOfRule(rowWith('idling', {})), durationSeconds: { isOwn: true, value: 1.5 } };
    expect(settingsOfDraft('idling', draft)).toEqual({ durationSeconds: 90 });
    expect(shownNumber('idling', 'durationSeconds')).toEqual({
      unit: 'min',
      minimum: 1,
      maximum: 1_440,
      isOptional: false,
    });
  });

  test('that are thresholds are kept in minutes', () => {
    expect(toKept('continuous-driving', 'threshold', 240)).toBe(240);
  });

  test('of every rule come back as they were', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULE_CODES), fc.integer({ min: 0, max: 2_592_000 }), (code, seconds) => {
        const shown = toShown(code, 'durationSeconds', seconds);
        expect(toKept(code, 'durationSeconds', shown)).toBeCloseTo(seconds, 6);
      }),
    );
  });
});

describe('a rule is checked', () => {
  test('as it would hold, in the units of the form', () => {
    expect(problemsOf('speeding', {})).toEqual({});
    expect(problemsOf('speeding', { threshold: 500 })).toEqual({ threshold: '10 to 200' });
    expect(problemsOf('idling', { durationSeconds: 0.5 })).toEqual({ durationSeconds: '1 to 1440' });
    expect(problemsOf('idling', { durationSeconds: Number.NaN })).toEqual({ durationSeconds: '1 to 1440' });
  });

  test('with what is inherited: a threshold below the inherited clear threshold', () => {
    expect(problemsOf('speeding', { threshold: 80 })).toEqual({ clearThreshold: '5 to 80' });
    expect(problemsOf('speeding', { threshold: 80, clearThreshold: null })).toEqual({});
  });

  test('for numbers that it cannot do without', () => {
    expect(problemsOf('speeding', { threshold: null })).toEqual({ threshold: '10 to 200' });
    expect(problemsOf('cabin-temperature', { threshold: null })).toEqual({ threshold: 'no threshold' });
    expect(problemsOf('cabin-temperature', { threshold: null, lowThreshold: 2 })).toEqual({});
  });

  test('for its hours, unless it is off', () => {
    expect(problemsOf('forbidden-hours', { enabled: true })).toEqual({ schedule: 'no schedule' });
    expect(problemsOf('forbidden-hours', { enabled: false })).toEqual({});
    const schedule = [{ days: [1], fromMinute: 0, toMinute: 60 }];
    expect(problemsOf('forbidden-hours', { enabled: true, schedule })).toEqual({});
  });

  test('for whole numbers where seconds and events are counted', () => {
    expect(problemsOf('collision', { mergeSeconds: 1.5, eventsAnHour: 0, recordSeconds: null })).toEqual({
      mergeSeconds: 'whole 0 to 3600',
      eventsAnHour: 'whole 1 to 3600',
      recordSeconds: 'whole 10 to 3600',
    });
  });

  test('for every type as nobody has configured it', () => {
    const keeper = new RuleKeeper();
    for (const row of keeper.rows(INSTALLATION)) {
      const problems = Object.values(checkRule(row.type, draftOfRule(row), TEXTS));
      expect(
        problems.filter((text) => text !== undefined),
        row.type,
      ).toEqual([]);
    }
  });
});
