import { describe, expect, it } from 'vitest';
import type { StoredFacts } from '../../../../../server/notify/rules/buildFacts.ts';
import { NotifySettings } from '../../../../../server/notify/rules/notifySettings.ts';
import type { Repeated } from '../../../../../server/notify/rules/repeats.ts';
import { repeatDueAt } from '../../../../../server/notify/rules/repeats.ts';
import type { StoredNotifyRule } from '../../../../../server/store/notify/notifyRules.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import {
  aMember,
  aRule,
  aStep,
  NOON_MS,
  NORTH,
  SOUTH,
  someFacts,
  storedFacts,
} from '../../../../support/notify/notifyFacts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function startSettings(change: Partial<StoredFacts> = {}) {
  const stored = storedFacts(change);
  const timers = new ManualTimers();
  let reads = 0;
  let rules = async (): Promise<StoredNotifyRule[]> => [...stored.rules];
  const settings = new NotifySettings({
    rules: {
      all: () => {
        reads++;
        return rules();
      },
    },
    members: { all: async () => [...stored.members] },
    senders: { all: async () => [...stored.senders] },
    places: { places: async () => stored.places },
    now: () => NOON_MS,
    runAfter: timers.runAfter,
    onFault: noFaults,
  });
  await settings.start();
  return {
    settings,
    timers,
    reads: () => reads,
    answerRules: (answer: typeof rules) => {
      rules = answer;
    },
  };
}

const wanted = { kind: 'email', memberGroup: NORTH, ofGateway: false, rule: 1 } as const;

describe('the clock of messages to services', () => {
  it('is that of the rule, else that of the device, as for the hours of the rule', async () => {
    const rules = [aRule({ timeZone: 'Asia/Taipei' }), aRule({ id: 2, timeZone: '' })];
    const { places } = storedFacts({});
    const devices = places.devices.map((device) => ({ ...device, timeZone: 'Asia/Tokyo' }));
    const { settings } = await startSettings({ rules, places: { ...places, devices } });
    const [device] = devices;
    const archiveNumber = device?.archiveNumber ?? 0;
    expect([1, 2, 3].map((rule) => settings.zoneOf(rule, archiveNumber))).toEqual([
      'Asia/Taipei',
      'Asia/Tokyo',
      'Asia/Tokyo',
    ]);
    expect([1, 2, 3].map((rule) => settings.zoneOf(rule, 0))).toEqual(['Asia/Taipei', '', '']);
  });
});

describe('what decides who is told, in memory', () => {
  it('several edits in a row are read once, and each minute what another program has edited', async () => {
    const { settings, timers, reads } = await startSettings();
    expect(reads()).toBe(1);
    settings.reloadSoon();
    settings.reloadSoon();
    timers.advance(300);
    expect(reads()).toBe(2);
    timers.advance(60_000);
    expect(reads()).toBe(3);
    await settings.close();
  });

  it('the answer of an earlier question does not replace that of a later one', async () => {
    const { settings, answerRules } = await startSettings();
    let answerFirst: (rules: StoredNotifyRule[]) => void = () => undefined;
    answerRules(() => new Promise((resolve) => (answerFirst = resolve)));
    const first = settings.reload();
    answerRules(async () => [aRule({ id: 2 })]);
    await settings.reload();
    answerFirst([]);
    await first;
    expect(settings.facts.rules.all.map(({ rule }) => rule.id)).toEqual([2]);
    await settings.close();
  });

  it('says how a member is reached now', async () => {
    const members = [aMember({ displayName: 'Ann Lee', language: 'jp', timeZone: 'Asia/Tokyo' })];
    const { settings } = await startSettings({ members });
    const common = { userId: 7, name: 'Ann Lee', language: 'jp', timeZone: 'Asia/Tokyo' };
    expect(settings.contactOf(7, wanted)).toEqual({ ...common, address: 'ann@example.com' });
    expect(settings.contactOf(7, { ...wanted, kind: 'sms' })).toEqual({ ...common, address: '+886912345678' });
    expect(settings.contactOf(7, { ...wanted, kind: 'push' })).toEqual({ ...common, address: '' });
    await settings.close();
  });

  it('a member without a language is told in that of the rule', async () => {
    const { settings } = await startSettings({
      members: [aMember({ language: undefined })],
      rules: [aRule({ language: 'zh-TW' })],
    });
    expect(settings.contactOf(7, wanted)).toMatchObject({ language: 'zh-TW' });
    expect(settings.contactOf(7, { ...wanted, rule: 99 })).toMatchObject({ language: 'en' });
    await settings.close();
  });

  it.each([
    ['is not there any more', {}, 8, wanted, 'not-in-group'],
    ['has left the group', { memberGroups: new Set([SOUTH]) }, 7, wanted, 'not-in-group'],
    ['is disabled', { disabled: true }, 7, wanted, 'not-in-group'],
    ['has expired', { expiresAtMs: NOON_MS }, 7, wanted, 'not-in-group'],
    ['has no address any more', { email: '' }, 7, wanted, 'no-address'],
    ['has taken the choice back', { channels: [] }, 7, wanted, 'not-chosen'],
    ['has no browser any more', { pushBrowsers: 0 }, 7, { ...wanted, kind: 'push' }, 'no-browser'],
    ['may not know of the gateway', {}, 7, { ...wanted, ofGateway: true }, 'no-system'],
  ] as const)('says why a member is not told: who %s', async (_who, change, userId, asked, note) => {
    const { settings } = await startSettings({ members: [aMember(change)] });
    expect(settings.contactOf(userId, asked)).toBe(note);
    await settings.close();
  });
});

describe('when a message that nobody has answered is sent again', () => {
  const message: Repeated = {
    rule: 1,
    step: 1,
    userId: undefined,
    archiveNumber: 1,
    type: 'speeding',
    severity: 'major',
    eventBeginAtMs: NOON_MS,
    repeatMs: 5 * MINUTE_MS,
    repeatUntilMs: NOON_MS + DAY_MS,
  };
  const repeatAt = (rule: Partial<StoredNotifyRule>, change: Partial<Repeated> = {}, sentAtMs = NOON_MS) =>
    repeatDueAt({ ...message, ...change }, sentAtMs, someFacts({ rules: [aRule({ repeatMinutes: 15, ...rule })] }));

  it('after the minutes that the rule has now', () => {
    expect(repeatAt({})).toBe(NOON_MS + 15 * MINUTE_MS);
  });

  it('at the end of quiet hours, unless it is critical', () => {
    const quietHours = [{ days: [5], fromMinute: 12 * 60, toMinute: 14 * 60 }];
    expect(repeatAt({ quietHours })).toBe(NOON_MS + 120 * MINUTE_MS);
    expect(repeatAt({ quietHours }, { severity: 'critical' })).toBe(NOON_MS + 15 * MINUTE_MS);
  });

  it('at most for a day', () => {
    expect(repeatAt({}, {}, NOON_MS + DAY_MS - 15 * MINUTE_MS)).toBe(NOON_MS + DAY_MS);
    expect(repeatAt({}, {}, NOON_MS + DAY_MS - 14 * MINUTE_MS)).toBeUndefined();
  });

  it.each<[string, Partial<StoredNotifyRule>, Partial<Repeated>]>([
    ['is off', { enabled: false }, {}],
    ['is gone', { id: 2 }, {}],
    ['repeats nothing any more', { repeatMinutes: 0 }, {}],
    ['has another last step', { steps: [aStep(), aStep({ afterMinutes: 5 })] }, {}],
    ['did not repeat it', {}, { repeatMs: 0 }],
  ])('not by a rule that %s', (_what, rule, change) => {
    expect(repeatAt(rule, change)).toBeUndefined();
  });
});
