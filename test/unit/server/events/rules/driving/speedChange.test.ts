import { describe, expect, it } from 'vitest';
import { METER, type PositionStep, playRule, type Step } from '../playRules.ts';

const settings = { threshold: 12 };

/** One position a second, each where the speeds have brought the vehicle. */
function drive(speeds: readonly number[], from = 0): PositionStep[] {
  let meters = 0;
  return speeds.map((speedKmh, index) => {
    meters += speedKmh / 3.6;
    return { at: from + index, speedKmh, latitude: 25 + meters * METER };
  });
}

describe('harsh braking', () => {
  it.each<[string, readonly number[], readonly string[]]>([
    ['not for gentle braking', [60, 50, 40, 30, 20, 10, 0, 0], []],
    // Each speed is judged when the next one is known.
    ['one position after it', [60, 60, 45, 45, 45], ['3 momentary, 15 of 12']],
    ['once for a maneuver of several seconds', [80, 66, 52, 38, 24, 24], ['2 momentary, 14 of 12']],
    ['again for the next one', [80, 66, 66, 66, 50, 50], ['2 momentary, 14 of 12', '5 momentary, 16 of 12']],
    ['not for a single wrong speed', [60, 60, 30, 60, 60, 0, 60, 60], []],
    ['not for what tyres can’t do', [90, 90, 30, 30, 30], []],
    ['not for acceleration', [0, 0, 20, 40, 60, 60], []],
  ])('is signaled %s', (_when, speeds, expected) => {
    expect(playRule('harsh-braking', drive(speeds), { settings })).toEqual(expected);
  });

  it('goes by the device’s clock: the network brings positions in bunches', () => {
    const bunched = drive([60, 56, 52, 48, 44, 40]).map((step, index) => ({
      ...step,
      at: 10 + index / 1_000,
      deviceTimeMs: Date.UTC(2026, 10, 23) + index * 1_000,
    }));
    expect(playRule('harsh-braking', bunched, { settings })).toEqual([]);
    const delayed = drive([60, 60, 45, 45, 45]).map((step) => ({
      ...step,
      at: step.at * 7,
      deviceTimeMs: Date.UTC(2026, 10, 23) + step.at * 1_000,
    }));
    expect(playRule('harsh-braking', delayed, { settings })).toEqual(['21 momentary, 15 of 12']);
  });

  it('takes positions of the same second for one', () => {
    const [first, second, third, ...rest] = drive([60, 60, 48, 36, 24]);
    const steps = [first, second, second, third, third, ...rest].filter((step) => step !== undefined);
    expect(playRule('harsh-braking', steps, { settings: { threshold: 13 } })).toEqual([]);
    expect(playRule('harsh-braking', steps, { settings })).toHaveLength(1);
  });

  it('doesn’t compare positions that are ten seconds apart, or of a clock that was set', () => {
    const apart = drive([100, 100, 100]).concat(drive([0, 0, 0], 14));
    expect(playRule('harsh-braking', apart, { settings: { threshold: 4 } })).toEqual([]);
    const back = drive([0, 0, 0], 4).map((step) => ({ ...step, deviceTimeMs: 0 }));
    expect(playRule('harsh-braking', [...drive([40, 40, 40]), ...back], { settings })).toEqual([]);
  });

  it('begins anew after a jump of the receiver and without a fix', () => {
    const [before, after] = [drive([60, 60, 60]), drive([40, 40, 40], 3)];
    expect(playRule('harsh-braking', [...before, ...after], { settings })).toHaveLength(1);
    const elsewhere = after.map((step) => ({ ...step, latitude: 26 }));
    expect(playRule('harsh-braking', [...before, ...elsewhere], { settings })).toEqual([]);
    const blind = { at: 3, hasFix: false, speedKmh: 60 };
    expect(playRule('harsh-braking', [...before, blind, ...drive([40, 40, 40], 4)], { settings })).toEqual([]);
  });

  it('is signaled in the hours of its schedule', () => {
    const schedule = [{ days: [2], fromMinute: 0, toMinute: 1_440 }];
    expect(playRule('harsh-braking', drive([60, 60, 45, 45]), { settings: { ...settings, schedule } })).toEqual([]);
  });
});

describe('harsh acceleration', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['for a kickdown', drive([20, 20, 34, 48, 48]), ['3 momentary, 14 of 12']],
    ['not for braking', drive([60, 60, 40, 40]), []],
    ['not for pulling away', drive([0, 8, 16, 24, 32]), []],
  ])('is signaled %s', (_when, steps, expected) => {
    expect(playRule('harsh-acceleration', steps, { settings })).toEqual(expected);
  });
});
