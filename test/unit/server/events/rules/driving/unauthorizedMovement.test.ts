import { describe, expect, it } from 'vitest';
import { every, METER, type PositionStep, playRule, type Step } from '../playRules.ts';

const settings = { threshold: 200 };
const parked = { ignitionOn: false, speedKmh: 0 };

/** Meters to the north of where it was parked, one position each ten seconds. */
function moves(meters: readonly number[], { from = 0, speedKmh = 0 } = {}): PositionStep[] {
  return meters.map((meter, index) => ({
    ...parked,
    speedKmh,
    at: from + index * 10,
    latitude: 25 + meter * METER,
  }));
}

describe('unauthorized movement', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['not while the receiver drifts', moves([0, 40, -60, 90, 20, 180, -150, 0]), []],
    ['not for one jump, nor for two', moves([0, 500, 0, 900, 900, 0, 500, 0]), []],
    ['farther than the threshold three times', moves([0, 150, 250, 300, 350]), ['40 begin, 350 of 200, since 20']],
    ['by its speed before that', moves([0, 60, 100, 140], { speedKmh: 20 }), ['30 begin, 140 of 200, since 10']],
    ['not by a drifting speed', moves([0, 10, -10, 30, 0, 20], { speedKmh: 20 }), []],
    ['not with the ignition on', moves([0, 300, 600, 900, 1_200]).map((step) => ({ ...step, ignitionOn: true })), []],
    ['not without a fix', moves([0, 300, 600, 900, 1_200]).map((step) => ({ ...step, hasFix: false })), []],
  ])('is raised %s', (_when, steps, expected) => {
    expect(playRule('unauthorized-movement', steps, { settings })).toEqual(expected);
  });

  it('isn’t raised by positions within a second, however many', () => {
    const burst = moves([0, 500, 500, 500, 500, 500]).map((step, index) => ({ ...step, at: 100 + index / 10 }));
    expect(playRule('unauthorized-movement', burst, { settings })).toEqual([]);
  });

  it('isn’t raised where it was driven, and parked again', () => {
    const driven = [...moves([0, 0]), { at: 20 }, ...moves([3_000, 3_000, 3_000, 3_000], { from: 30 })];
    expect(playRule('unauthorized-movement', driven, { settings })).toEqual([]);
  });

  it('isn’t raised by what happened without a connection, or in a gap of an hour', () => {
    const offline: Step[] = [
      ...moves([0, 0]),
      { at: 15, kind: 'presence', isOnline: false },
      { at: 400, kind: 'presence', isOnline: true },
      ...moves([3_000, 3_000, 3_000, 3_000], { from: 410 }),
    ];
    expect(playRule('unauthorized-movement', offline, { settings })).toEqual([]);
    const silent = [...moves([0, 0]), ...moves([3_000, 3_000, 3_000, 3_000], { from: 3_700 })];
    expect(playRule('unauthorized-movement', silent, { settings })).toEqual([]);
  });

  it('is raised of a terminal that reports twice an hour', () => {
    const steps = moves([0, 0, 5_000, 9_000, 12_000]).map((step) => ({ ...step, at: step.at * 180 }));
    expect(playRule('unauthorized-movement', steps, { settings })).toEqual(['7200 begin, 12000 of 200, since 3600']);
  });

  const towed = moves([0, 300, 600, 900, 1_200]);
  const raised = '30 begin, 900 of 200, since 10';

  it('ends where the vehicle has rested for five minutes, as of then', () => {
    const rest = every(10, 50, 400, { ...parked, latitude: 25 + 1_220 * METER });
    expect(playRule('unauthorized-movement', [...towed, ...rest], { settings })).toEqual([
      raised,
      '340 end, 900, since 40',
    ]);
  });

  it('ends with the ignition, and lasts while nothing is heard', () => {
    const steps: Step[] = [...towed, { at: 50, kind: 'presence', isOnline: false }, { at: 9_000, ignitionOn: true }];
    expect(playRule('unauthorized-movement', steps, { settings })).toEqual([raised, '9000 end, 900']);
  });

  it('ends with the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 0, toMinute: 1 }];
    const steps = [...towed, ...moves([1_500, 1_800, 2_100], { from: 50 })];
    expect(playRule('unauthorized-movement', steps, { settings: { ...settings, schedule } })).toEqual([
      raised,
      '60 end, 900',
    ]);
  });
});
