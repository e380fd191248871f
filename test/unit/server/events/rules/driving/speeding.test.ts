import { describe, expect, it } from 'vitest';
import { every, playRule, type Step } from '../playRules.ts';

const settings = { threshold: 100, clearThreshold: 90, durationSeconds: 20 };
const at = (speeds: readonly number[]): Step[] => speeds.map((speedKmh, index) => ({ at: index * 10, speedKmh }));

describe('speeding', () => {
  it.each<[string, readonly number[], readonly string[]]>([
    ['not at the limit', [100, 100, 100, 100], []],
    ['not for less than the duration', [120, 120, 100, 120, 120], []],
    ['after the duration', [90, 110, 112, 111], ['30 begin, 112 of 100, since 10']],
    ['until the clear threshold', [110, 110, 110, 95, 91, 90], ['20 begin, 110 of 100, since 0', '50 end, 110']],
    ['with the highest speed at the end', [110, 110, 110, 130, 80], ['20 begin, 110 of 100, since 0', '40 end, 130']],
    [
      'again after it has ended',
      [110, 110, 110, 80, 110, 110, 110],
      ['20 begin, 110 of 100, since 0', '30 end, 110', '60 begin, 110 of 100, since 40'],
    ],
  ])('is raised %s', (_when, speeds, expected) => {
    expect(playRule('speeding', at(speeds), { settings })).toEqual(expected);
  });

  it('is raised at once without a duration, and ends at the threshold without a clear threshold', () => {
    const speeds = at([101, 101, 100]);
    const once = { threshold: 100, durationSeconds: 0 };
    const player = playRule('speeding', speeds, { settings: { ...once, clearThreshold: 100 } });
    expect(player).toEqual(['0 begin, 101 of 100, since 0', '20 end, 101']);
  });

  it('ends at the threshold where an inherited clear threshold is above it', () => {
    const speeds = at([60, 60, 60, 55, 50]);
    const inherited = { threshold: 50, clearThreshold: 90, durationSeconds: 20 };
    expect(playRule('speeding', speeds, { settings: inherited })).toEqual([
      '20 begin, 60 of 50, since 0',
      '40 end, 60',
    ]);
  });

  it('ends when nothing is heard for five minutes, as of the last position', () => {
    const steps = [...at([120, 120, 120]), { at: 4_000, speedKmh: 120 }, { at: 4_010, speedKmh: 120 }];
    expect(playRule('speeding', steps, { settings })).toEqual([
      '20 begin, 120 of 100, since 0',
      '320 end, 120, since 20',
    ]);
  });

  it('isn’t raised by two positions with a gap between them', () => {
    expect(playRule('speeding', at([120]).concat({ at: 600, speedKmh: 120 }), { settings })).toEqual([]);
  });

  it('isn’t judged without a fix or by an impossible speed', () => {
    const steps = [...every(10, 0, 60, { speedKmh: 120, hasFix: false }), ...every(10, 70, 120, { speedKmh: 6_553.5 })];
    expect(playRule('speeding', steps, { settings })).toEqual([]);
  });

  it('goes on where one position says nothing', () => {
    const steps: Step[] = [...at([120, 120, 120]), { at: 30, speedKmh: 700 }, { at: 40, speedKmh: 120 }];
    expect(playRule('speeding', steps, { settings })).toEqual(['20 begin, 120 of 100, since 0']);
  });

  it('applies in the hours of its schedule, and ends with them', () => {
    // Monday 00:01 to 00:02.
    const schedule = [{ days: [1], fromMinute: 1, toMinute: 2 }];
    const steps = every(10, 0, 150, { speedKmh: 120 });
    expect(playRule('speeding', steps, { settings: { ...settings, schedule } })).toEqual([
      '80 begin, 120 of 100, since 60',
      '120 end, 120',
    ]);
  });

  it('goes by the limits of the areas that the vehicle is in, beside its own', () => {
    const areaLimits = [
      { area: 7, speedKmh: 30 },
      { area: 9, speedKmh: 60 },
    ];
    const steps: Step[] = [
      ...every(10, 0, 30, { speedKmh: 50, areaLimits }),
      // Within the hysteresis of 10 km/h, then below it.
      { at: 40, speedKmh: 25, areaLimits },
      { at: 50, speedKmh: 19, areaLimits },
      ...every(10, 60, 90, { speedKmh: 50, areaLimits }),
      { at: 100, speedKmh: 50 },
    ];
    expect(playRule('speeding', steps, { settings })).toEqual([
      '20 begin in 7, 50 of 30, since 0',
      '50 end in 7, 50',
      '80 begin in 7, 50 of 30, since 60',
      '100 end in 7, 50',
    ]);
  });

  it('ends in an area too when nothing is heard', () => {
    const steps: Step[] = [
      ...every(10, 0, 30, { speedKmh: 50, areaLimits: [{ area: 7, speedKmh: 30 }] }),
      { at: 1_000, speedKmh: 0 },
    ];
    expect(playRule('speeding', steps, { settings })).toEqual([
      '20 begin in 7, 50 of 30, since 0',
      '330 end in 7, 50, since 30',
    ]);
  });
});
