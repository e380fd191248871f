// Where a line of time has its marks. Pure.
import { formatClock, formatDay } from '../../../../shared/time/format.ts';
import type { TimeRange } from '../clock/ranges.ts';

export interface AxisTick {
  readonly atMs: number;
  readonly label: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS_MS = [
  ...[10_000, 30_000],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7].map((days) => days * DAY_MS),
];

/** At most `most` ticks, at whole steps after the beginning of the first day; the day's name where a day begins. */
export function axisTicks(view: TimeRange, zone: string, most: number): readonly AxisTick[] {
  const length = view.toMs - view.fromMs;
  const stepMs = STEPS_MS.find((step) => length / step <= most) ?? 7 * DAY_MS;
  const originMs = clockZero(view.fromMs, zone);
  const ticks: AxisTick[] = [];
  for (let atMs = originMs; atMs <= view.toMs && ticks.length <= most; atMs += stepMs) {
    if (atMs >= view.fromMs) ticks.push({ atMs, label: labelOf(atMs, zone, stepMs) });
  }
  return ticks;
}

function clockZero(atMs: number, zone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = formatClock(atMs, zone).split(':').map(Number);
  return Math.floor(atMs / 1_000) * 1_000 - ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

function labelOf(atMs: number, zone: string, stepMs: number): string {
  const clock = formatClock(atMs, zone);
  if (clock === '00:00:00' || stepMs >= DAY_MS) return formatDay(atMs, zone).slice(5);
  return stepMs < MINUTE_MS ? clock : clock.slice(0, 5);
}
