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

  it.each([
    ['2026-11-20T23:30Z', false],
    ['2026-11-21T00:30Z', true],
  ])('only in the hours of its schedule, on the wall clock of the device: at %s %s', (text, wanted) => {
    const schedule = [{ days: [6], fromMinute: 8 * 60, toMinute: 9 * 60 }];
    const facts = { ignitionOn: true, timeZone: 'Asia/Taipei' };
    for (const mode of ['always', 'ignition'] as const) {
      expect(wantsRecording({ ...ALWAYS, mode, schedule }, facts, at(text))).toBe(wanted);
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
