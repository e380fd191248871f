// Whether the schedule runs now. Pure.
import { nextRun, type When } from '../../../shared/protocol/nextRun.ts';

export interface DueRun {
  readonly isDue: boolean;
  /** When it runs next, to be kept. */
  readonly dueAtMs: number;
}

/**
 * `dueAtMs`: as kept, 0 for never. A run that was missed is made up once, however many were. After a clock that was set back, what
 * has run is not run again; one that was far ahead doesn't hold up the schedule until then.
 */
export function dueRun(when: When, timeZone: string, { dueAtMs, nowMs }: { dueAtMs: number; nowMs: number }): DueRun {
  const next = nextRun(when, timeZone, nowMs);
  if (dueAtMs === 0) return { isDue: false, dueAtMs: next };
  if (nowMs >= dueAtMs) return { isDue: true, dueAtMs: next };
  const latest = nextRun(when, timeZone, next);
  return { isDue: false, dueAtMs: Math.min(dueAtMs, latest) };
}
