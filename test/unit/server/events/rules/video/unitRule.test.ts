import { describe, expect, it } from 'vitest';
import { every, inputOf, type PositionStep, playRule, RulesPlayer, ruleOf, START_MS, type Step } from '../playRules.ts';

const settings = { durationSeconds: 60 };
const lost = (at: number, bits: number | undefined): PositionStep => ({ at, videoLostBits: bits });
const later = (at: number): Step => ({ at, kind: 'tick' });
const online = (at: number): Step => ({ at, kind: 'presence', isOnline: true });
const offline = (at: number): Step => ({ at, kind: 'presence', isOnline: false });

describe('video loss', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration, between positions too', [lost(0, 0b1), later(100)], ['60 begin of 1, since 0']],
    [
      'is of each channel by itself',
      [lost(0, 0b1), lost(10, 0b101), lost(80, 0b100), lost(90, 0)],
      ['60 begin of 1, since 0', '70 begin of 3, since 10', '80 end of 1', '90 end of 3'],
    ],
    ['isn’t raised of a short one', [lost(0, 0b10), lost(59, 0), later(200)], []],
    [
      'isn’t ended by a position that doesn’t say',
      [lost(0, 1), lost(30, undefined), later(200)],
      ['60 begin of 1, since 0'],
    ],
    [
      'is of up to 32 channels',
      [lost(0, 0x8000_0001), later(60), lost(70, 0)],
      ['60 begin of 1, since 0', '60 begin of 32, since 0', '70 end of 1', '70 end of 32'],
    ],
    // No camera is repaired by that.
    [
      'lasts while the terminal is away',
      [lost(0, 1), later(70), offline(80), online(5_000), lost(5_010, 0)],
      ['60 begin of 1, since 0', '5010 end of 1'],
    ],
    [
      'isn’t raised of a terminal that is away, and begins anew',
      [lost(0, 1), offline(50), online(5_000), lost(5_010, 1), later(5_100)],
      ['5070 begin of 1, since 5010'],
    ],
    ['isn’t judged by what isn’t a number of bits', [lost(0, Number.NaN), lost(10, 1.5), later(100)], []],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('video-loss', steps, { settings })).toEqual(expected);
  });

  it('applies in the hours of its schedule, which begin and end between positions', () => {
    const schedule = [{ days: [1], fromMinute: 2, toMinute: 5 }];
    expect(playRule('video-loss', [lost(0, 1), later(1_000)], { settings: { ...settings, schedule } })).toEqual([
      '180 begin of 1, since 120',
      '300 end of 1',
    ]);
  });

  it('of late positions is judged by them alone', () => {
    const receivedAtMs = START_MS + 3_600_000;
    const steps = [lost(0, 1), lost(50, 1), lost(70, 1), lost(80, 0)].map((step) => ({
      ...step,
      isLate: true,
      receivedAtMs,
    }));
    expect(playRule('video-loss', steps, { settings })).toEqual(['70 begin of 1, since 0', '80 end of 1']);
  });
});

describe('a storage fault', () => {
  it('is of each storage by itself', () => {
    const steps = [...every(30, 0, 90, { storageFaultBits: 0x1001 }), { at: 100, storageFaultBits: 0x1000 }];
    expect(playRule('storage-fault', steps, { settings })).toEqual([
      '60 begin of 1, since 0',
      '60 begin of 13, since 0',
      '100 end of 1',
    ]);
  });
});

describe('what isn’t recorded', () => {
  const recording = (at: number, dueBits: number, writtenBits: number): Step => ({
    at,
    kind: 'recording',
    dueBits,
    writtenBits,
  });

  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised of channels that are due', [recording(0, 0b111, 0b101), later(100)], ['60 begin of 2, since 0']],
    [
      'ends when something is written',
      [recording(0, 1, 0), later(70), recording(80, 1, 1)],
      ['60 begin of 1, since 0', '80 end of 1'],
    ],
    [
      'ends when nothing is due',
      [recording(0, 1, 0), later(70), recording(80, 0, 0)],
      ['60 begin of 1, since 0', '80 end of 1'],
    ],
    ['isn’t raised of what isn’t due', [recording(0, 0, 0), later(100)], []],
    ['isn’t raised of a pause', [recording(0, 1, 0), recording(50, 1, 1), later(200)], []],
    [
      'ends without a connection',
      [recording(0, 1, 0), later(70), offline(80)],
      ['60 begin of 1, since 0', '80 end of 1'],
    ],
    ['isn’t raised without a connection', [offline(0), recording(10, 1, 0), later(100)], []],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('not-recorded', steps, { settings })).toEqual(expected);
  });

  it('goes on with what was raised before the gateway started', () => {
    const player = new RulesPlayer();
    const rules = [ruleOf('not-recorded', settings)];
    const open = [{ type: 'not-recorded', unit: 2, area: 0, sinceMs: START_MS - 9_000_000 }];
    expect(player.device.resume(open, rules, START_MS)).toEqual([]);
    player.play(inputOf(recording(10, 0b11, 0)), rules);
    player.play(inputOf(recording(90, 0, 0)), rules);
    expect(player.lines()).toEqual(['70 begin of 1, since 10', '90 end of 1', '90 end of 2']);
  });
});
