// Forecasts when a disk will be full, from its recent use.

/** The room left for everything that nothing deletes by itself. */
export interface DiskSample {
  readonly atMs: number;
  readonly roomBytes: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A shorter span says more about the last minutes than about the days to come. */
const MIN_SPAN_MS = HOUR_MS;
const KEPT_MS = DAY_MS;
/** Nobody plans further ahead, and a day of samples says nothing about it. */
const MAX_DAYS = 3_650;

/** The samples of the last day, with the new one. A clock that was set back starts them again. */
export function withSample(samples: readonly DiskSample[], sample: DiskSample): readonly DiskSample[] {
  const kept = samples.filter(({ atMs }) => atMs < sample.atMs && sample.atMs - atMs <= KEPT_MS);
  return [...kept, sample];
}

/** `unknown`: there are too few samples. `never`: the disk doesn't fill. */
export type Forecast = number | 'never' | 'unknown';

/** Days until the disk is full, by the line that is closest to the samples. */
export function forecastDays(samples: readonly DiskSample[]): Forecast {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < MIN_SPAN_MS) return 'unknown';
  const lostBytesADay = -slopeOf(samples) * DAY_MS;
  if (lostBytesADay <= 0) return 'never';
  const days = last.roomBytes / lostBytesADay;
  return days > MAX_DAYS ? 'never' : days;
}

/** Slope by least squares, in bytes per millisecond. */
function slopeOf(samples: readonly DiskSample[]): number {
  const meanAtMs = meanOf(samples.map(({ atMs }) => atMs));
  const meanBytes = meanOf(samples.map(({ roomBytes }) => roomBytes));
  let products = 0;
  let squares = 0;
  for (const { atMs, roomBytes } of samples) {
    products += (atMs - meanAtMs) * (roomBytes - meanBytes);
    squares += (atMs - meanAtMs) ** 2;
  }
  return products / squares;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
