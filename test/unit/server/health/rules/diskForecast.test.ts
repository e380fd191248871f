import { describe, expect, it } from 'vitest';
import { type DiskSample, forecastDays, withSample } from '../../../../../server/health/rules/diskForecast.ts';

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = HOUR_MS / 6;

/** Samples, one every ten minutes. */
const samplesOf = (rooms: readonly number[]): DiskSample[] =>
  rooms.map((roomBytes, at) => ({ atMs: 1_000 + at * TEN_MINUTES_MS, roomBytes }));

/** Samples of an hour, each of which has this much less room than the one before. */
const falling = (first: number, each: number) => samplesOf(Array.from({ length: 7 }, (_, at) => first - at * each));

describe('the forecast of a disk', () => {
  it('is not known before an hour has passed', () => {
    expect(forecastDays([])).toBe('unknown');
    expect(forecastDays(falling(1_000, 10).slice(0, 6))).toBe('unknown');
    expect(forecastDays(falling(1_000, 10))).not.toBe('unknown');
  });

  it('is the room that is left, at the pace of the samples', () => {
    // 1 every ten minutes is 144 a day.
    expect(forecastDays(falling(1_446, 1))).toBeCloseTo(10, 6);
  });

  it('goes by all samples, so that a file that comes and goes decides nothing', () => {
    const calm = falling(1_446, 1);
    const disturbed = calm.map((sample, at) => (at === 3 ? { ...sample, roomBytes: sample.roomBytes - 500 } : sample));
    expect(forecastDays(disturbed)).toBeCloseTo(10, 6);
  });

  it('is never for a disk that keeps its room, gains some, or fills in more than ten years', () => {
    expect(forecastDays(falling(1_000, 0))).toBe('never');
    expect(forecastDays(falling(1_000, -1))).toBe('never');
    expect(forecastDays(falling(144 * 3_651 + 6, 1))).toBe('never');
    expect(forecastDays(falling(144 * 3_650 + 6, 1))).toBeCloseTo(3_650, 3);
  });

  it('is now for a disk without room', () => {
    expect(forecastDays(falling(6, 1))).toBe(0);
  });
});

describe('samples', () => {
  it('are kept for a day', () => {
    const [first, ...others] = samplesOf(Array.from({ length: 145 }, () => 1));
    const all = [...(first === undefined ? [] : [first]), ...others];
    const last = { atMs: 1_000 + 145 * TEN_MINUTES_MS, roomBytes: 1 };
    expect(withSample(all.slice(0, 1), all[144] ?? last)).toHaveLength(2);
    expect(withSample(all, last)).toEqual([...others, last]);
  });

  it('of a time that the clock has gone back behind are dropped', () => {
    const [early, late] = samplesOf([1, 2]);
    if (early === undefined || late === undefined) throw new Error('no samples');
    expect(withSample([late], early)).toEqual([early]);
    expect(withSample([early], early)).toEqual([early]);
  });
});
