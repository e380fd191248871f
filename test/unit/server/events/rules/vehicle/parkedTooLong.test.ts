import { describe, expect, it } from 'vitest';
import { every, METER, playRule, type Step } from '../playRules.ts';

const settings = { durationSeconds: 3_600 };
const still = { speedKmh: 0 };
const off = { speedKmh: 0, ignitionOn: false };
const online = (at: number): Step => ({ at, kind: 'presence', isOnline: true });
const offline = (at: number): Step => ({ at, kind: 'presence', isOnline: false });
const later = (at: number): Step => ({ at, kind: 'tick' });

describe('parked too long', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration', every(60, 0, 4_000, off), ['3600 begin, since 0']],
    ['is raised with the ignition on too', every(60, 0, 4_000, still), ['3600 begin, since 0']],
    ['ends with the drive', [...every(60, 0, 3_660, off), { at: 3_700 }], ['3600 begin, since 0', '3700 end']],
    [
      'isn’t raised of a vehicle that drove',
      [...every(60, 0, 3_000, off), { at: 3_060 }, ...every(60, 3_120, 6_600, off)],
      [],
    ],
    // They sleep, and are connected.
    [
      'is raised between the rare positions of a parked terminal',
      [online(0), { ...off, at: 10 }, later(5_000)],
      ['3610 begin, since 10'],
    ],
    [
      'goes on while a parked terminal is silent',
      [{ ...off, at: 0 }, offline(10), online(5_000), { ...off, at: 5_010 }],
      ['5010 begin, since 0'],
    ],
    ['isn’t raised of a terminal that isn’t connected', [{ ...off, at: 0 }, offline(10), later(5_000)], []],
    [
      'isn’t raised by the connection alone, before a position says where the vehicle is',
      [{ ...off, at: 0 }, offline(10), online(5_000), later(5_001), { ...off, at: 5_010, latitude: 26 }, later(8_000)],
      [],
    ],
    // The ignition was on: it may have been driven, and come back.
    ['counts anew after a gap with the ignition on', [{ ...still, at: 0 }, { ...still, at: 3_700 }, later(7_000)], []],
    [
      'counts anew, and ends, where the vehicle is found elsewhere',
      [...every(60, 0, 3_600, off), { ...off, at: 3_660, latitude: 25 + 400 * METER }, later(7_259)],
      ['3600 begin, since 0', '3660 end, since 3600'],
    ],
    [
      'stays where the receiver drifts',
      every(60, 0, 3_600, { ...off, latitude: 25 + 100 * METER }),
      ['3600 begin, since 0'],
    ],
    [
      'goes on in a garage',
      [{ ...off, at: 0 }, ...every(1_800, 60, 3_660, { ...off, hasFix: false })],
      ['3600 begin, since 0'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('parked-too-long', steps, { settings })).toEqual(expected);
  });

  it('applies in the hours of its schedule, between positions too', () => {
    // Monday 01:00 to 03:00.
    const schedule = [{ days: [1], fromMinute: 60, toMinute: 180 }];
    const steps: Step[] = [online(0), { ...off, at: 0 }, later(20_000)];
    expect(playRule('parked-too-long', steps, { settings: { ...settings, schedule } })).toEqual([
      '7200 begin, since 3600',
      '10800 end',
    ]);
  });
});
