import { describe, expect, it } from 'vitest';
import { every, playRule, type Step } from '../playRules.ts';

const settings = { durationSeconds: 120 };
const still = { speedKmh: 0 };

describe('idling', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration', every(30, 0, 300, still), ['120 begin, since 0']],
    ['ends when the vehicle moves', [...every(30, 0, 150, still), { at: 180 }], ['120 begin, since 0', '180 end']],
    [
      'ends with the ignition',
      [...every(30, 0, 150, still), { at: 180, speedKmh: 0, ignitionOn: false }],
      ['120 begin, since 0', '180 end'],
    ],
    ['isn’t raised while driving', every(30, 0, 300), []],
    ['isn’t raised with the ignition off', every(30, 0, 300, { ...still, ignitionOn: false }), []],
    ['is raised of a vehicle whose receiver drifts', every(30, 0, 120, { speedKmh: 4.9 }), ['120 begin, since 0']],
    ['isn’t raised where it isn’t known whether the vehicle moves', every(30, 0, 300, { ...still, hasFix: false }), []],
    [
      'goes on where that isn’t known for a time',
      [...every(30, 0, 60, still), { at: 90, hasFix: false, speedKmh: 0 }, { at: 120, speedKmh: 0 }],
      ['120 begin, since 0'],
    ],
    [
      'isn’t raised across a gap',
      [
        { ...still, at: 0 },
        { ...still, at: 301 },
      ],
      [],
    ],
    [
      'ends in a gap, as of the last position',
      [...every(30, 0, 150, still), { at: 1_000, speedKmh: 0 }],
      ['120 begin, since 0', '450 end, since 150'],
    ],
    [
      'ends where it isn’t known for too long whether the vehicle moves',
      [...every(30, 0, 150, still), ...every(30, 180, 600, { ...still, hasFix: false })],
      ['120 begin, since 0', '450 end, since 150'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('idling', steps, { settings })).toEqual(expected);
  });

  it('applies in the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 1, toMinute: 4 }];
    expect(playRule('idling', every(30, 0, 400, still), { settings: { ...settings, schedule } })).toEqual([
      '180 begin, since 60',
      '240 end',
    ]);
  });
});
