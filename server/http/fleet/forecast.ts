// How long the disk of the recordings lasts. Pure.
const DAY_MS = 24 * 60 * 60_000;

export interface DiskUse {
  readonly freeBytes: number;
  /** What stays free: the oldest recordings make room for it. */
  readonly floorBytes: number;
  /** What all recordings may take; 0: not limited. */
  readonly maximumBytes: number;
  readonly recordedBytes: number;
  readonly bytesPerDay: number;
}

export interface DiskForecast {
  readonly daysOfRoom: number | null;
  readonly daysUntilFull: number | null;
}

export function forecastDisk(use: DiskUse): DiskForecast {
  if (use.bytesPerDay <= 0) return { daysOfRoom: null, daysUntilFull: null };
  const onDisk = Math.max(0, use.freeBytes - use.floorBytes);
  const allowed = use.maximumBytes > 0 ? Math.max(0, use.maximumBytes - use.recordedBytes) : onDisk;
  const left = Math.min(onDisk, allowed);
  return { daysOfRoom: (left + use.recordedBytes) / use.bytesPerDay, daysUntilFull: left / use.bytesPerDay };
}

/** What is written in a day, from what was written since a moment; younger recordings are taken for what they span. */
export function bytesPerDay(bytes: number, sinceMs: number, firstMs: number | undefined, nowMs: number): number {
  if (firstMs === undefined || bytes === 0) return 0;
  // A minute of recording says little of a day, but more than nothing.
  const spanMs = Math.max(60_000, nowMs - Math.max(sinceMs, firstMs));
  return (bytes * DAY_MS) / spanMs;
}
