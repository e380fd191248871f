import { describe, expect, it } from 'vitest';
import { AdasType, SafetyAlarmFlag } from '../../../../server/device/jt808/codec/codes.ts';
import { drivenTime } from '../../../../simulator/script/drivenTime.ts';
import { momentsIn } from '../../../../simulator/script/moments.ts';
import { lastingAt, nextChangeMs, occurrenceAt, timesBeforeStart } from '../../../../simulator/script/timing.ts';
import type { ScriptStep, VehicleScript } from '../../../../simulator/script/vehicleScript.ts';

describe('a step', () => {
  it.each([
    [{ atSeconds: 10 }, 9_999, undefined],
    [{ atSeconds: 10 }, 10_000, { number: 0, startMs: 10_000 }],
    [{ atSeconds: 10 }, 900_000, { number: 0, startMs: 10_000 }],
    [{ atSeconds: 10, everySeconds: 60 }, 69_999, { number: 0, startMs: 10_000 }],
    [{ atSeconds: 10, everySeconds: 60 }, 70_000, { number: 1, startMs: 70_000 }],
    [{ atSeconds: -30, everySeconds: 20 }, -1, { number: 1, startMs: -10_000 }],
  ])('of %j at %d ms has happened: %j', (timing, elapsedMs, occurrence) => {
    expect(occurrenceAt(timing, elapsedMs)).toEqual(occurrence);
  });

  it.each([
    [10_000, true],
    [14_999, true],
    [15_000, false],
    [40_000, true],
  ])('at %d ms lasts: %s', (elapsedMs, isLasting) => {
    const timing = { atSeconds: 10, forSeconds: 5, everySeconds: 30 };
    expect(lastingAt(timing, elapsedMs) !== undefined).toBe(isLasting);
  });
});

describe('the next change', () => {
  const steps = [{ atSeconds: 10, forSeconds: 5, everySeconds: 30 }, { atSeconds: 12 }];

  it.each([
    [-1, 10_000],
    [10_000, 12_000],
    [12_000, 15_000],
    [15_000, 40_000],
    [40_000, 45_000],
  ])('after %d ms is at %d ms', (elapsedMs, nextMs) => {
    expect(nextChangeMs(steps, elapsedMs)).toBe(nextMs);
  });

  it('never comes once all is over, and to a script of nothing', () => {
    expect(nextChangeMs([{ atSeconds: 12 }], 12_000)).toBeUndefined();
    expect(nextChangeMs([], 0)).toBeUndefined();
  });
});

describe('times before the start', () => {
  it('are those of an absence that began before it, every so often and at each change', () => {
    const script: VehicleScript = [
      { kind: 'absence', atSeconds: -100, forSeconds: 100 },
      { kind: 'alarm', atSeconds: -50, forSeconds: 5, bits: [0] },
    ];
    expect(timesBeforeStart(script, 30_000)).toEqual([-100_000, -70_000, -50_000, -45_000, -15_000]);
  });

  it('are none without one', () => {
    expect(timesBeforeStart([{ kind: 'alarm', atSeconds: -50, bits: [0] }], 30_000)).toEqual([]);
  });
});

describe('moments', () => {
  const warning = { kind: 'safety', alarm: { item: 'adas', type: AdasType.LaneDeparture } } as const;
  const said = (script: VehicleScript, afterMs: number, toMs: number) =>
    momentsIn(script, afterMs, toMs).map((moment) =>
      moment.kind === 'safety' ? [moment.atMs, moment.flag, moment.alarm] : [moment.atMs, moment.step.kind],
    );

  it('come once, after one time and up to another', () => {
    const script: VehicleScript = [
      { ...warning, atSeconds: 20 },
      { kind: 'driver-event', atSeconds: 5, id: 1 },
    ];
    expect(said(script, -1, 4_999)).toEqual([]);
    expect(said(script, 4_999, 20_000)).toEqual([
      [5_000, 'driver-event'],
      [20_000, SafetyAlarmFlag.Momentary, '0/0'],
    ]);
    expect(said(script, 20_000, 99_000)).toEqual([]);
  });

  it('of an alarm that lasts are its begin and its end, which belong together', () => {
    const script: VehicleScript = [{ ...warning, atSeconds: 20, forSeconds: 10, everySeconds: 60 }];
    expect(said(script, 0, 25_000)).toEqual([[20_000, SafetyAlarmFlag.Begin, '0/0']]);
    expect(said(script, 25_000, 60_000)).toEqual([[30_000, SafetyAlarmFlag.End, '0/0']]);
    expect(said(script, 60_000, 95_000)).toEqual([
      [80_000, SafetyAlarmFlag.Begin, '0/1'],
      [90_000, SafetyAlarmFlag.End, '0/1'],
    ]);
  });
});

describe('driven time', () => {
  const pace = (step: Partial<Extract<ScriptStep, { kind: 'pace' }>>): ScriptStep => ({
    kind: 'pace',
    atSeconds: 100,
    forSeconds: 60,
    pace: 0,
    rampSeconds: 10,
    ...step,
  });

  it.each([
    [100_000, 1, 0],
    [105_000, 0.5, -1_250],
    [110_000, 0, -5_000],
    [130_000, 0, -25_000],
    [150_000, 0, -45_000],
    [155_000, 0.5, -48_750],
    [160_000, 1, -50_000],
    [999_000, 1, -50_000],
  ])('at %d ms of a stop from 100 to 160 s has pace %d and is ahead by %d ms', (elapsedMs, share, aheadMs) => {
    expect(drivenTime([pace({})], elapsedMs)).toEqual({ pace: share, aheadMs });
  });

  it('brakes at once without a ramp, and hurries with a pace above 1', () => {
    expect(drivenTime([pace({ rampSeconds: 0 })], 100_001)).toEqual({ pace: 0, aheadMs: -1 });
    expect(drivenTime([pace({ rampSeconds: 0 })], 170_000)).toEqual({ pace: 1, aheadMs: -60_000 });
    expect(drivenTime([pace({ pace: 1.5 })], 130_000)).toEqual({ pace: 1.5, aheadMs: 12_500 });
  });

  it('never drives backwards, and has no leaps, however often steps return', () => {
    const script = [pace({ everySeconds: 90 }), pace({ atSeconds: 130, pace: 0.3, rampSeconds: 2, everySeconds: 70 })];
    for (let elapsedMs = 0; elapsedMs < 1_500_000; elapsedMs += 500) {
      const [now, next] = [drivenTime(script, elapsedMs), drivenTime(script, elapsedMs + 500)];
      expect(now.pace).toBeGreaterThanOrEqual(0);
      expect(Math.abs(next.aheadMs - now.aheadMs)).toBeLessThanOrEqual(1_000);
    }
  });
});
