import { describe, expect, it } from 'vitest';
import { doesMatch, type MatchMoment, matchRule } from '../../../../../server/notify/rules/matchRule.ts';
import type { ToldEvent } from '../../../../../server/notify/rules/notifyFacts.ts';
import { prepareRule } from '../../../../../server/notify/rules/ruleIndex.ts';
import type { StoredNotifyRule } from '../../../../../server/store/notify/notifyRules.ts';
import {
  aNotifyDevice,
  aRule,
  aToldEvent,
  BUSES,
  NIGHT_BUSES,
  NOON_MS,
  SOUTH,
  someFacts,
  storedFacts,
} from '../../../../support/notify/notifyFacts.ts';

const MINUTE_MS = 60_000;
const facts = someFacts();
const misses = (
  rule: Partial<StoredNotifyRule>,
  event: Partial<ToldEvent> = {},
  moment: Partial<MatchMoment> = {},
  known = facts,
) =>
  matchRule(prepareRule(aRule(rule), known.parents), aToldEvent(event), known, {
    nowMs: NOON_MS,
    lastToldAtMs: () => undefined,
    ...moment,
  });

describe('why a rule does not tell of an event', () => {
  it('nothing, of a rule that covers all', () => {
    expect(misses({})).toEqual([]);
  });

  it.each<[string, Partial<StoredNotifyRule>, Partial<ToldEvent>, readonly string[]]>([
    ['is off', { enabled: false }, {}, ['disabled']],
    ['another type', { types: ['idling', 'geofence'] }, {}, ['other-type']],
    ['its type', { types: ['idling', 'speeding'] }, {}, []],
    ['another severity', { severities: ['critical'] }, {}, ['other-severity']],
    ['another device', { devices: ['BUS2'] }, {}, ['other-device']],
    ['its device', { devices: ['BUS1'] }, {}, []],
    ['its device beside other groups', { devices: ['BUS1'], deviceGroups: [NIGHT_BUSES] }, {}, []],
    ['another group', { deviceGroups: [NIGHT_BUSES] }, {}, ['other-device']],
    ['a group inside its own', { deviceGroups: [BUSES] }, { device: { archiveNumber: 2 } }, []],
    ['a device of another member group', {}, { device: { archiveNumber: 3 } }, ['other-device']],
    ['a device that is gone', {}, { device: { archiveNumber: 99 } }, ['other-device']],
    ['the gateway itself', {}, { device: undefined }, ['other-device']],
    ['the gateway itself, which it covers', { coversGateway: true }, { device: undefined }, []],
    [
      'all at once',
      { enabled: false, types: ['x'], severities: ['info'] },
      {},
      ['disabled', 'other-type', 'other-severity'],
    ],
  ])('%s', (_what, rule, event, expected) => {
    expect(misses(rule, event)).toEqual(expected);
  });

  it('a member group covers its own devices alone', () => {
    expect(misses({ memberGroup: SOUTH })).toEqual(['other-device']);
    expect(misses({ memberGroup: SOUTH }, { device: { archiveNumber: 3 } })).toEqual([]);
  });

  it("goes by the device's clock where the rule has none of its own", () => {
    const { places } = storedFacts();
    const taipei = someFacts({ places: { ...places, devices: [aNotifyDevice({ timeZone: 'Asia/Taipei' })] } });
    const evening = [{ days: [5], fromMinute: 20 * 60, toMinute: 21 * 60 }];
    expect(misses({ schedule: evening, timeZone: '' }, {}, {}, taipei)).toEqual([]);
    expect(misses({ schedule: evening, timeZone: 'UTC' }, {}, {}, taipei)).toEqual(['not-scheduled']);
  });

  it('is late by more than fifteen minutes', () => {
    const late = { isLate: true, beginAtMs: NOON_MS - 15 * MINUTE_MS };
    expect(misses({}, late)).toEqual([]);
    expect(misses({}, { ...late, beginAtMs: late.beginAtMs - 1 })).toEqual(['too-late']);
    expect(misses({}, { isLate: false, beginAtMs: NOON_MS - 60 * MINUTE_MS })).toEqual([]);
  });

  it('has told of an event of the device and type within the interval', () => {
    const moment = { lastToldAtMs: () => NOON_MS - 10 * MINUTE_MS };
    expect(misses({ intervalMinutes: 11 }, {}, moment)).toEqual(['interval']);
    expect(misses({ intervalMinutes: 10 }, {}, moment)).toEqual([]);
    expect(misses({ intervalMinutes: 0 }, {}, moment)).toEqual([]);
  });

  it('has told of an event by a clock that was set back since, and is not silent until it is there again', () => {
    const moment = { lastToldAtMs: () => NOON_MS + 10 * MINUTE_MS };
    expect(misses({ intervalMinutes: 11 }, {}, moment)).toEqual(['interval']);
    expect(misses({ intervalMinutes: 10 }, {}, moment)).toEqual([]);
  });

  it('when it last told is looked up only where nothing that is quicker to tell has ruled it out', () => {
    const asked: number[] = [];
    const moment = { nowMs: NOON_MS, lastToldAtMs: (rule: number) => void asked.push(rule) };
    const rules = [
      aRule({ id: 1 }),
      aRule({ id: 2, intervalMinutes: 10, types: ['idling'] }),
      aRule({ id: 3, intervalMinutes: 10, deviceGroups: [NIGHT_BUSES] }),
      aRule({ id: 4, intervalMinutes: 10 }),
    ];
    const matching = rules.filter((rule) => doesMatch(prepareRule(rule, facts.parents), aToldEvent(), facts, moment));
    expect(matching.map(({ id }) => id)).toEqual([1, 4]);
    expect(asked).toEqual([4]);
  });
});
