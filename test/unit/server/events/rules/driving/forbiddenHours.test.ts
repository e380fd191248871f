import { describe, expect, it } from 'vitest';
import { every, playRule, type Step } from '../playRules.ts';

// Monday 00:01 to 00:10.
const schedule = [{ days: [1], fromMinute: 1, toMinute: 10 }];
const settings = { durationSeconds: 60, schedule };
const still = { speedKmh: 0 };

describe('driving in forbidden hours', () => {
  it('is raised after the duration, counted within the hours, and ends with them', () => {
    expect(playRule('forbidden-hours', every(10, 0, 700), { settings })).toEqual(['120 begin, since 60', '600 end']);
  });

  it('goes by the device’s time zone', () => {
    // There it is Monday 08:01 to 08:10.
    const shifted = [{ days: [1], fromMinute: 481, toMinute: 490 }];
    const timeZone = 'Asia/Taipei';
    expect(playRule('forbidden-hours', every(10, 0, 200), { settings: { schedule: shifted }, timeZone })).toEqual([
      '120 begin, since 60',
    ]);
    expect(playRule('forbidden-hours', every(10, 0, 200), { settings, timeZone })).toEqual([]);
  });

  it('is never raised without a schedule', () => {
    expect(playRule('forbidden-hours', every(10, 0, 300), { settings: { durationSeconds: 0 } })).toEqual([]);
    expect(playRule('forbidden-hours', every(10, 0, 300), { settings: { durationSeconds: 0, schedule: [] } })).toEqual(
      [],
    );
  });

  it.each<[string, readonly Step[], readonly string[]]>([
    ['isn’t raised by a vehicle that stands', every(10, 60, 500, still), []],
    ['isn’t raised by moving to another place in the yard', [...every(10, 60, 90), ...every(10, 100, 500, still)], []],
    [
      'goes on at traffic lights, and ends after three minutes',
      [...every(10, 60, 120), ...every(10, 130, 200, still), ...every(10, 210, 240), ...every(10, 250, 500, still)],
      ['120 begin, since 60', '420 end'],
    ],
    [
      'ends at once when the ignition is switched off',
      [...every(10, 60, 120), { at: 130, speedKmh: 0, ignitionOn: false }],
      ['120 begin, since 60', '130 end'],
    ],
    ['isn’t raised across a gap', [{ at: 60 }, { at: 400 }], []],
    ['ends in a gap', every(10, 60, 120), ['120 begin, since 60', '420 end, since 120']],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('forbidden-hours', [...steps, { at: 500, kind: 'tick' }], { settings })).toEqual(expected);
  });
});
