// Where a timeline has its marks: at whole steps of the wall clock in the browser's zone, on days with a changed clock too. Pure.

import { spanOf, type TimelineView } from './timelineView.ts';
import { formatDay, formatTime } from './wallClock.ts';

export interface Tick {
  readonly atMs: number;
  /** Absent on marks between those that are named. */
  readonly label?: string;
  /** A day begins. */
  readonly isMidnight: boolean;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps between named marks, each with the unnamed marks between them. */
const STEPS = [
  [SECOND, SECOND / 5],
  [5 * SECOND, SECOND],
  [10 * SECOND, 2 * SECOND],
  [30 * SECOND, 5 * SECOND],
  [MINUTE, 10 * SECOND],
  [5 * MINUTE, MINUTE],
  [10 * MINUTE, 2 * MINUTE],
  [30 * MINUTE, 5 * MINUTE],
  [HOUR, 10 * MINUTE],
  [2 * HOUR, 30 * MINUTE],
  [3 * HOUR, 30 * MINUTE],
  [6 * HOUR, HOUR],
  [12 * HOUR, 2 * HOUR],
  [24 * HOUR, 4 * HOUR],
] as const;
/** A label and the air around it. */
const LABEL_PIXELS = 72;

/** The marks of a view that is `width` pixels wide, the first to the last. */
export function ticksOf(view: TimelineView, width: number): Tick[] {
  if (width <= 0) return [];
  const least = (spanOf(view) * LABEL_PIXELS) / width;
  const [step, between] = STEPS.find(([size]) => size >= least) ?? [24 * HOUR, 4 * HOUR];
  return wholeSteps(view, between).map((atMs) => tickAt(atMs, step));
}

function tickAt(atMs: number, step: number): Tick {
  const sinceMidnight = wallClockMs(atMs);
  const isMidnight = sinceMidnight === 0;
  if (sinceMidnight % step !== 0) return { atMs, isMidnight };
  const time = formatTime(atMs);
  return { atMs, isMidnight, label: isMidnight ? formatDay(atMs) : step < MINUTE ? time : time.slice(0, 5) };
}

/** The moments at which the wall clock shows a multiple of the step since midnight. */
function wholeSteps({ fromMs, toMs }: TimelineView, step: number): number[] {
  const found: number[] = [];
  let atMs = fromMs - (wallClockMs(fromMs) % step);
  while (atMs < toMs) {
    if (atMs >= fromMs) found.push(atMs);
    const nextMs = atMs + step;
    // Where the clock was changed in between, the next whole step is nearer or further; an hour that comes twice is marked twice.
    const offMs = wallClockMs(nextMs) % step;
    atMs = offMs === 0 ? nextMs : nextMs - offMs > atMs ? nextMs - offMs : nextMs + step - offMs;
  }
  return found;
}

/** What the wall clock shows, as milliseconds since it last showed midnight. */
function wallClockMs(atMs: number): number {
  const date = new Date(atMs);
  const minutes = date.getHours() * 60 + date.getMinutes();
  return minutes * MINUTE + date.getSeconds() * SECOND + date.getMilliseconds();
}
