import { dayNumber, dayStarts } from '../../../shared/protocol/timeZones.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources, ReportValue } from '../reportKind.ts';
import { deviceClocks, samplesWithin, type TimedSample } from './deviceClocks.ts';
import { dayText } from './mileage.ts';

/** Fuel and temperature on the days on which a device reported either. */
export const fuelAndTemperature: ReportKindDefinition = {
  kind: 'fuel-temperature',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'day', type: 'day' },
    { name: 'fuelMin', type: 'liters' },
    { name: 'fuelMax', type: 'liters' },
    { name: 'fuelMean', type: 'liters' },
    { name: 'cabinMin', type: 'celsius' },
    { name: 'cabinMax', type: 'celsius' },
    { name: 'cabinMean', type: 'celsius' },
    { name: 'positions', type: 'count' },
  ],
  filters: ['devices'],
  chart: null,
  moment: 'day',
  permissions: [],
  needsDevices: true,
  run: async function* (query, sources) {
    const starts = dayStarts(query.fromMs, query.toMs, query.timeZone);
    for (const [at, device] of query.devices.entries()) {
      yield { rows: await daysOf(query, sources, { device, starts }), progress: (at + 1) / query.devices.length };
    }
  },
};

interface OfDevice {
  readonly device: ReportDevice;
  readonly starts: readonly number[];
}

async function daysOf(
  { fromMs, toMs, timeZone }: ReportQuery,
  { db, samplesOf }: ReportSources,
  { device, starts }: OfDevice,
): Promise<ReportRowValues[]> {
  const { deviceId, incarnation } = device;
  const clock = (await deviceClocks(db, [device]))(incarnation);
  const days = new Map<number, DayFigures>();
  for await (const samples of samplesWithin(samplesOf, { incarnation, clock }, { fromMs, toMs })) {
    for (const sample of samples) addTo(days, starts, sample);
  }
  return [...days]
    .sort(([left], [right]) => left - right)
    .map(([startMs, figures]) => ({
      deviceId,
      values: [
        deviceId,
        dayText(dayNumber(startMs, timeZone)),
        ...figures.fuel.values(),
        ...figures.cabin.values(),
        figures.positions,
      ],
    }));
}

interface DayFigures {
  readonly fuel: Figure;
  readonly cabin: Figure;
  positions: number;
}

function addTo(days: Map<number, DayFigures>, starts: readonly number[], sample: TimedSample): void {
  const { atMs, fuelLiters, cabinCelsius } = sample;
  if (fuelLiters === undefined && cabinCelsius === undefined) return;
  const startMs = starts.findLast((start) => start <= atMs) ?? starts[0] ?? 0;
  let figures = days.get(startMs);
  if (figures === undefined) {
    figures = { fuel: new Figure(), cabin: new Figure(), positions: 0 };
    days.set(startMs, figures);
  }
  figures.positions++;
  figures.fuel.add(fuelLiters);
  figures.cabin.add(cabinCelsius);
}

class Figure {
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #count = 0;

  add(value: number | undefined): void {
    if (value === undefined) return;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    this.#sum += value;
    this.#count++;
  }

  /** The lowest, the highest and the mean value. */
  values(): readonly ReportValue[] {
    if (this.#count === 0) return [null, null, null];
    return [this.#min, this.#max, Math.round((this.#sum / this.#count) * 10) / 10];
  }
}
