import { describe, expect, it } from 'vitest';
import { isHeld, policyFor, wantsRecording } from '../../../../server/recording/policy.ts';
import { expiresBefore, retentionDays } from '../../../../server/retentionDays.ts';
import type { RecordingPolicy } from '../../../../server/store/recordings/recordingPolicies.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const ALWAYS: RecordingPolicy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 };
const at = (text: string): number => Date.parse(text);

describe('whether a channel is recorded', () => {
  it.each([
    ['off', true, false],
    ['always', undefined, true],
    ['always', false, true],
    ['ignition', true, true],
    ['ignition', false, false],
    ['ignition', undefined, false],
  ] as const)('in mode %s with ignition %s: %s', (mode, ignitionOn, wanted) => {
    expect(wantsRecording({ ...ALWAYS, mode }, { ignitionOn, timeZone: 'UTC' }, at('2026-11-21T12:00Z'))).toBe(wanted);
  });

  // Saturday and Sunday 22:00 to 06:00, weekdays 08:00 to 18:00.
  const schedule = [
    { days: [6, 7], fromMinute: 22 * 60, toMinute: 6 * 60 },
    { days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 },
  ];

  it.each([
    ['Friday 07:59', '2026-11-20T07:59:59Z', false],
    ['Friday 08:00', '2026-11-20T08:00:00Z', true],
    ['Friday 17:59', '2026-11-20T17:59:59Z', true],
    ['Friday 18:00', '2026-11-20T18:00:00Z', false],
    ['Saturday 05:00, since Friday has no night', '2026-11-21T05:00:00Z', false],
    ['Saturday 22:00', '2026-11-21T22:00:00Z', true],
    ['Sunday 05:59, still the window of Saturday', '2026-11-22T05:59:00Z', true],
    ['Sunday 06:00', '2026-11-22T06:00:00Z', false],
    ['Monday 00:00, still that of Sunday', '2026-11-23T00:00:00Z', true],
    ['Monday 07:00', '2026-11-23T07:00:00Z', false],
  ])('by its days and hours, on %s', (_when, text, wanted) => {
    expect(wantsRecording({ ...ALWAYS, schedule }, { ignitionOn: true, timeZone: 'UTC' }, at(text))).toBe(wanted);
  });

  it('goes by the wall clock of the device, summer time included', () => {
    const morning = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 8 * 60, toMinute: 9 * 60 }];
    const wants = (timeZone: string, text: string) =>
      wantsRecording({ ...ALWAYS, schedule: morning }, { ignitionOn: true, timeZone }, at(text));
    expect(wants('Asia/Taipei', '2026-11-21T00:30Z')).toBe(true);
    expect(wants('UTC', '2026-11-21T00:30Z')).toBe(false);
    expect(wants('Europe/Berlin', '2026-07-01T06:30Z')).toBe(true);
    expect(wants('Europe/Berlin', '2026-12-01T06:30Z')).toBe(false);
    expect(wants('Europe/Berlin', '2026-12-01T07:30Z')).toBe(true);
  });

  it('takes a window of a whole day from midnight to midnight', () => {
    const day = [{ days: [6], fromMinute: 0, toMinute: 1440 }];
    const wants = (text: string) =>
      wantsRecording({ ...ALWAYS, schedule: day }, { ignitionOn: true, timeZone: 'UTC' }, at(text));
    expect([wants('2026-11-20T23:59:59Z'), wants('2026-11-21T00:00Z'), wants('2026-11-21T23:59:59Z')]).toEqual([
      false,
      true,
      true,
    ]);
    expect(wants('2026-11-22T00:00Z')).toBe(false);
  });

  it('goes by the gateway’s zone where the device has none or one that nobody knows', () => {
    const always = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1440 }];
    for (const timeZone of ['', 'Mars/Olympus']) {
      expect(
        wantsRecording({ ...ALWAYS, schedule: always }, { ignitionOn: true, timeZone }, at('2026-11-21T12:00Z')),
      ).toBe(true);
    }
  });
});

describe('the policy of a channel', () => {
  const policies = [
    { deviceId: '', channel: 0, name: 'all' },
    { deviceId: 'BUS1', channel: 0, name: 'device' },
    { deviceId: 'BUS1', channel: 2, name: 'channel' },
  ];

  it.each([
    ['BUS1', 2, 'channel'],
    ['BUS1', 1, 'device'],
    ['BUS2', 2, 'all'],
  ])('%s channel %d has that of the %s', (deviceId, channel, name) => {
    expect(policyFor(policies, deviceId, channel)?.name).toBe(name);
  });

  it('is none where nobody set one', () => {
    expect(policyFor(policies.slice(1), 'BUS2', 1)).toBeUndefined();
  });
});

describe('how long recordings are kept', () => {
  it.each([
    [0, [], 0],
    [30, [], 30],
    [0, [7], 7],
    [30, [7, 90], 7],
    [5, [7, 90], 5],
    [30, [0], 30],
  ])('by a policy of %d days and groups of %j: %d', (policy, groups, days) => {
    expect(retentionDays(policy, groups)).toBe(days);
  });

  it('counts back from now, or not at all', () => {
    expect(expiresBefore(2, 200_000_000)).toBe(200_000_000 - 172_800_000);
    expect(expiresBefore(0, 200_000_000)).toBeUndefined();
  });

  const hold = {
    id: 1,
    deviceId: 'BUS1',
    archiveId: 'BUS1@1',
    channel: 0,
    fromMs: wallMs(1_000),
    toMs: wallMs(2_000),
    reason: '',
    heldBy: 'chief',
    heldAtMs: wallMs(0),
    releasedBy: '',
    releasedAtMs: wallMs(0),
  };

  it.each([
    ['overlapping it', {}, {}, true],
    ['ending where it begins', { endMs: 1_000 }, {}, false],
    ['beginning where it ends', { startMs: 2_000, endMs: 3_000 }, {}, false],
    ['of another device', { archiveId: 'BUS2' }, {}, false],
    ['of another device that had the id before', { archiveId: 'BUS1' }, {}, false],
    ['of the held channel', {}, { channel: 3 }, true],
    ['of another channel', {}, { channel: 4 }, false],
    ['of a hold that was released', {}, { releasedAtMs: wallMs(5) }, false],
  ])('evidence and a segment %s', (_what, segment, change, held) => {
    const whole = { archiveId: 'BUS1@1', channel: 3, startMs: 500, endMs: 1_500, ...segment };
    expect(isHeld(whole, [{ ...hold, ...change }])).toBe(held);
  });
});
