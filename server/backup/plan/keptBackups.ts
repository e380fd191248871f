// Which backups stay: one of each of the last days, weeks and months that have one. Pure.
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';

export interface KeepRules {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

export interface PlannedBackup {
  readonly id: number;
  readonly createdAtMs: number;
  /** Whether it was made by hand: the plan doesn't delete it. */
  readonly isManual: boolean;
  /** Whether a restore of it was tried and succeeded. */
  readonly isTested: boolean;
}

const DAY_MS = 86_400_000;
/** 1970 began on a Thursday, weeks begin on Mondays. */
const DAYS_TO_MONDAY = 3;

/**
 * The ids of the backups to delete. Only days, weeks and months with a backup count, so that a server that was off for a month still has
 * its last ones. In each period, the newest that passed its test stays, or without one the newest. The newest of all stays, or nobody would
 * see that its test failed; so does the newest that passed: it may be the last that can be restored.
 */
export function backupsToDelete(
  backups: readonly PlannedBackup[],
  rules: KeepRules,
  timeZone: string,
): readonly number[] {
  const planned = newestFirst(backups.filter(({ isManual }) => !isManual));
  const tested = newestFirst(backups).find(({ isTested }) => isTested);
  const kept = new Set<number | undefined>([planned[0]?.id, tested?.id]);
  for (const [count, periodOf] of [
    [rules.days, dayOf],
    [rules.weeks, weekOf],
    [rules.months, monthOf],
  ] as const) {
    for (const id of bestOfPeriods(planned, count, (atMs) => periodOf(wallClockMs(atMs, timeZone)))) kept.add(id);
  }
  return planned.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
}

function newestFirst(backups: readonly PlannedBackup[]): readonly PlannedBackup[] {
  return backups.toSorted((one, other) => other.createdAtMs - one.createdAtMs);
}

function bestOfPeriods(
  planned: readonly PlannedBackup[],
  count: number,
  periodOf: (atMs: number) => number,
): readonly number[] {
  const best = new Map<number, PlannedBackup>();
  for (const backup of planned) {
    const period = periodOf(backup.createdAtMs);
    const found = best.get(period);
    if (found === undefined || (backup.isTested && !found.isTested)) best.set(period, backup);
  }
  return [...best.values()].slice(0, count).map(({ id }) => id);
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS);
}

function weekOf(wallMs: number): number {
  return Math.floor((dayOf(wallMs) + DAYS_TO_MONDAY) / 7);
}

function monthOf(wallMs: number): number {
  const date = new Date(wallMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
