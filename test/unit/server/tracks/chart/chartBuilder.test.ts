import { describe, expect, it } from 'vitest';
import { CHART_FIELDS, ChartBuilder } from '../../../../../server/tracks/chart/chartBuilder.ts';
import { columnsOf, type HeldPosition } from '../heldTrack.ts';

function chartOf(positions: readonly HeldPosition[], steps = 3) {
  const builder = new ChartBuilder({ fromMs: 1_000, toMs: 4_000, steps });
  const columns = columnsOf(positions, CHART_FIELDS);
  builder.add({ ...columns, atMs: columns.deviceTimeMs });
  return builder.series();
}

const at = (deviceTimeMs: number, more: Partial<HeldPosition> = {}): HeldPosition => ({
  ...{ deviceTimeMs, latitude: 1, longitude: 1, speedKmh: 10, altitudeM: 5 },
  ...more,
});

describe('the chart of a track', () => {
  it('has the lowest and the highest speed of each step, and the means of the others', () => {
    const chart = chartOf([
      at(1_000, { speedKmh: 10, altitudeM: 100, fuelLiters: 40, cabinCelsius: 4, signal: 20 }),
      at(1_500, { speedKmh: 70, altitudeM: 200, fuelLiters: 41 }),
      at(1_999, { speedKmh: 30, altitudeM: 100 }),
      at(3_000, { speedKmh: 0 }),
    ]);
    expect(chart).toMatchObject({
      speedMin: [10, null, 0],
      speedMax: [70, null, 0],
      altitude: [133.33, null, 5],
      fuelLiters: [40.5, null, null],
      cabinCelsius: [4, null, null],
      signal: [20, null, null],
    });
  });

  it('takes no speed and no altitude of a position without a fix', () => {
    const lost = at(1_500, { statusBits: 1, speedKmh: 99, altitudeM: 999, fuelLiters: 30 });
    expect(chartOf([lost])).toMatchObject({ speedMax: [null, null, null], altitude: [null, null, null] });
    expect(chartOf([lost]).fuelLiters).toEqual([30, null, null]);
  });

  it('tells the share of a step with the ignition on, by time', () => {
    const [on, off] = [{ statusBits: 3 }, { statusBits: 2 }];
    const chart = chartOf([at(1_000, off), at(1_250, on), at(2_500, off), at(3_000, off)]);
    expect(chart.ignition).toEqual([0.75, 0.5, 0]);
  });

  it('knows nothing of a gap', () => {
    const builder = new ChartBuilder({ fromMs: 0, toMs: 900_000, steps: 3 });
    const columns = columnsOf([at(0), at(301_000)], CHART_FIELDS);
    builder.add({ ...columns, atMs: columns.deviceTimeMs });
    expect(builder.series().ignition).toEqual([1, 1, null]);
    expect(builder.stepMs).toBe(300_000);
  });
});
