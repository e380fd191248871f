// Whether the schedule runs now. Pure.
import { nextRun, type When } from '../../../shared/protocol/nextRun.ts';

export interface DueRun {
  readonly isDue: boolean;
  /** Time of the next run, to be stored. */
  readonly dueAtMs: number;
}

/**
 * `dueAtMs`: the stored time, 0 for never. Missed runs are made up for once, however many they are. After a clock was set back, past runs
 * are not repeated; a clock that was far ahead doesn't hold up the schedule until then.
 */
export function dueRun(when: When, timeZone: string, { dueAtMs, nowMs }: { dueAtMs: number; nowMs: number }): DueRun {
  const next = nextRun(when, timeZone, nowMs);
  if (dueAtMs === 0) return { isDue: false, dueAtMs: next };
  if (nowMs >= dueAtMs) return { isDue: true, dueAtMs: next };
  const latest = nextRun(when, timeZone, next);
  return { isDue: false, dueAtMs: Math.min(dueAtMs, latest) };
}
