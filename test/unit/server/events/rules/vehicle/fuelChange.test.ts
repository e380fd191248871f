import { describe, expect, it } from 'vitest';
import { every, METER, type PositionStep, playRule, type Step } from '../playRules.ts';

const settings = { threshold: 20, durationSeconds: 600 };
const parked = { speedKmh: 0, ignitionOn: false };

/** One reading each ten seconds. */
function readings(liters: readonly number[], rest: Omit<PositionStep, 'at'> = {}, from = 0): PositionStep[] {
  return liters.map((fuelLiters, index) => ({ ...rest, at: from + index * 10, fuelLiters }));
}

const sloshing = [0, 25, -30, 12, -22, 30].map((liters) => 300 + liters);
const level = (liters: number, count = 8): number[] => new Array<number>(count).fill(liters);

describe('a fuel drop', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['not for a level that stays', readings(level(300, 30)), []],
    // Five readings make a level, and one more shows that it has settled.
    ['once the level has settled', readings([...level(300), ...level(250)]), ['130 momentary, 50 of 20']],
    [
      'once for all that is gone',
      readings([...level(300), 285, 270, 255, 240, ...level(230, 20)]),
      ['170 momentary, 70 of 20'],
    ],
    ['not for less than the threshold', readings([...level(300), ...level(281)]), []],
    ['not for fuel that sloshes', readings([...sloshing, ...sloshing, ...sloshing, ...sloshing]), []],
    ['not for a sensor that says zero', readings([...level(300), ...level(0), ...level(300)]), []],
    ['not for a sensor that says all ones', readings([...level(300), ...level(6_553.5), ...level(300)]), []],
    ['not for more fuel', readings([...level(250), ...level(300)]), []],
    ['not for a few wrong readings', readings([...level(300), 100, 100, 100, ...level(300)]), []],
    [
      'twice where it is drained twice',
      readings([...level(300), ...level(250), ...level(220)]),
      ['130 momentary, 50 of 20', '210 momentary, 30 of 20'],
    ],
  ])('is signaled %s', (_when, steps, expected) => {
    expect(playRule('fuel-drop', steps, { settings })).toEqual(expected);
  });

  it('is no consumption: that takes longer than the duration', () => {
    // 60 l in an hour.
    const steps = every(10, 0, 3_600).map((step) => ({ ...step, fuelLiters: 300 - step.at / 60 }));
    expect(playRule('fuel-drop', steps, { settings })).toEqual([]);
  });

  it('is one, however long it takes, where it is faster than that', () => {
    // 60 l in 15 minutes.
    const steps = every(10, 0, 1_200).map((step) => ({ ...step, fuelLiters: 300 - Math.min(step.at, 900) / 15 }));
    const [said = '', ...more] = playRule('fuel-drop', steps, { settings });
    expect(more).toEqual([]);
    expect(Number(/momentary, (.*) of 20/.exec(said)?.[1])).toBeGreaterThan(55);
  });

  it('is noticed in the morning when the tank was drained at night', () => {
    const night = [...readings(level(300), parked), ...readings(level(200), { speedKmh: 0 }, 30_000)];
    expect(playRule('fuel-drop', night, { settings })).toEqual(['30050 momentary, 100 of 20']);
  });

  it('isn’t signaled of what was burnt on a drive in a gap', () => {
    const elsewhere = { speedKmh: 0, latitude: 25 + 5_000 * METER };
    const steps = [...readings(level(300), parked), ...readings(level(200), elsewhere, 30_000)];
    expect(playRule('fuel-drop', steps, { settings })).toEqual([]);
    const running = [...readings(level(300)), ...readings(level(200), {}, 30_000)];
    expect(playRule('fuel-drop', running, { settings })).toEqual([]);
  });

  it('is signaled in the hours of its schedule', () => {
    const schedule = [{ days: [2], fromMinute: 0, toMinute: 1_440 }];
    const steps = readings([...level(300), ...level(250)]);
    expect(playRule('fuel-drop', steps, { settings: { ...settings, schedule } })).toEqual([]);
  });
});

describe('refueling', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'with the whole amount',
      readings([...level(100), 140, 180, 220, 260, ...level(300)], parked),
      ['170 momentary, 200 of 20'],
    ],
    ['not for less fuel', readings([...level(300), ...level(250)]), []],
  ])('is signaled %s', (_when, steps, expected) => {
    expect(playRule('refueling', steps, { settings })).toEqual(expected);
  });
});
