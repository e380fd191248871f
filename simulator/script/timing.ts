// When the steps of a script happen. Times are milliseconds since the terminal was started.
import type { Timing, TimingWithEnd, VehicleScript } from './vehicleScript.ts';

/** One of the times at which a step happens. */
export interface Occurrence {
  /** Counted from 0. */
  readonly number: number;
  readonly startMs: number;
}

/** The latest occurrence; undefined before the first. */
export function occurrenceAt({ atSeconds, everySeconds }: Timing, elapsedMs: number): Occurrence | undefined {
  const firstMs = atSeconds * 1000;
  if (elapsedMs < firstMs) return undefined;
  if (everySeconds === undefined) return { number: 0, startMs: firstMs };
  const number = Math.floor((elapsedMs - firstMs) / (everySeconds * 1000));
  return { number, startMs: firstMs + number * everySeconds * 1000 };
}

/** The end of an occurrence; Infinity if it has none. */
export function endOf({ forSeconds }: TimingWithEnd, { startMs }: Occurrence): number {
  return forSeconds === undefined ? Number.POSITIVE_INFINITY : startMs + forSeconds * 1000;
}

/** The occurrence that lasts at a time. */
export function lastingAt(step: TimingWithEnd, elapsedMs: number): Occurrence | undefined {
  const occurrence = occurrenceAt(step, elapsedMs);
  return occurrence !== undefined && elapsedMs < endOf(step, occurrence) ? occurrence : undefined;
}

/** The next time at which one of the steps begins or ends; undefined: never. */
export function nextChangeMs(steps: readonly TimingWithEnd[], elapsedMs: number): number | undefined {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const step of steps) {
    const current = occurrenceAt(step, elapsedMs);
    const endMs = current === undefined ? Number.POSITIVE_INFINITY : endOf(step, current);
    if (endMs > elapsedMs) nextMs = Math.min(nextMs, endMs);
    nextMs = Math.min(nextMs, nextStartMs(step, current));
  }
  return nextMs === Number.POSITIVE_INFINITY ? undefined : nextMs;
}

function nextStartMs({ atSeconds, everySeconds }: Timing, current: Occurrence | undefined): number {
  if (current === undefined) return atSeconds * 1000;
  return everySeconds === undefined ? Number.POSITIVE_INFINITY : current.startMs + everySeconds * 1000;
}

/**
 * Times of the positions that the terminal has stored when it starts, because of an absence that began before: at an interval and
 * at each change.
 */
export function timesBeforeStart(script: VehicleScript, everyMs: number): number[] {
  const absences = script.filter(({ kind }) => kind === 'absence').map(({ atSeconds }) => atSeconds * 1000);
  const times: number[] = [];
  let atMs = Math.min(0, ...absences);
  while (atMs < 0) {
    times.push(atMs);
    atMs = Math.min(atMs + everyMs, nextChangeMs(script, atMs) ?? Number.POSITIVE_INFINITY);
  }
  return times;
}
