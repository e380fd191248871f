import { describe, expect, it } from 'vitest';
import { drawnValues, valueAt } from '../../../../pages/innerpage/gpsplayback/chart/metrics.ts';
import { TRACK_GAP_MS, type TrackChart } from '../../../../shared/protocol/api/tracks/track.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const FROM = 1_795_000_000_000;

function chartOf(stepMs: number, speedMax: (number | null)[]): TrackChart {
  const none = speedMax.map(() => null);
  const others = { altitude: none, fuelLiters: none, cabinCelsius: none, ignition: none, signal: none };
  return { fromMs: wallMs(FROM), stepMs, speedLimitKmh: null, speedMin: speedMax, speedMax, ...others };
}

describe('the line of the chart', () => {
  it('goes straight on between reports that are some steps apart', () => {
    const chart = chartOf(5_000, [null, 10, null, null, 40, 50, null]);
    expect(drawnValues(chart, 'speed')).toEqual([null, 10, 20, 30, 40, 50, null]);
  });

  it('ends where there is a gap, and not before', () => {
    const stepMs = TRACK_GAP_MS / 2;
    expect(drawnValues(chartOf(stepMs, [0, null, 10]), 'speed')).toEqual([0, 5, 10]);
    expect(drawnValues(chartOf(stepMs + 1, [0, null, 10]), 'speed')).toEqual([0, null, 10]);
  });

  it('is nothing where nothing was reported', () => {
    const chart = chartOf(5_000, [10, null, 10]);
    expect(drawnValues(chart, 'fuel')).toEqual([null, null, null]);
    expect(valueAt(chart, 'fuel', FROM + 6_000)).toBeNull();
  });
});

describe('the value at a moment', () => {
  const stepMs = TRACK_GAP_MS / 2;
  const chart = chartOf(stepMs, [null, 10, null, null, null, 0]);
  it.each([
    [0, null],
    [stepMs, 10],
    [2 * stepMs, 10],
    [4 * stepMs - 1, 10],
    [4 * stepMs, null],
    [5 * stepMs, 0],
    [6 * stepMs - 1, 0],
    [6 * stepMs, null],
    [-1, null],
  ])('%d ms from the beginning', (sinceMs, value) => {
    expect(valueAt(chart, 'speed', FROM + sinceMs)).toBe(value);
  });
});
