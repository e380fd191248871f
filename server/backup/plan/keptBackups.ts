// Which backups stay: the newest of each of the last days, weeks and months that have one. Pure.
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';

export interface KeepRules {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

export interface PlannedBackup {
  readonly id: number;
  readonly createdAtMs: number;
  /** Made by hand: only people delete it. */
  readonly isManual: boolean;
  /** A restore of it was tried and succeeded. */
  readonly isTested: boolean;
}

const DAY_MS = 86_400_000;
/** 1970 began with a Thursday, weeks begin with Mondays. */
const DAYS_TO_MONDAY = 3;

/**
 * The ids of those to delete. Days, weeks and months are counted by those that have a backup, so that a server which was off for a
 * month still has its last ones. The newest that passed its test always stays: it may be the last that can be restored.
 */
export function backupsToDelete(
  backups: readonly PlannedBackup[],
  rules: KeepRules,
  timeZone: string,
): readonly number[] {
  const newestFirst = backups
    .filter(({ isManual }) => !isManual)
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs);
  const kept = new Set<number>();
  for (const [count, periodOf] of [
    [rules.days, dayOf],
    [rules.weeks, weekOf],
    [rules.months, monthOf],
  ] as const) {
    for (const id of newestOfPeriods(newestFirst, count, (atMs) => periodOf(wallClockMs(atMs, timeZone)))) kept.add(id);
  }
  const tested = backups
    .filter(({ isTested }) => isTested)
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs)[0];
  return newestFirst.filter(({ id }) => !kept.has(id) && id !== tested?.id).map(({ id }) => id);
}

function newestOfPeriods(
  newestFirst: readonly PlannedBackup[],
  count: number,
  periodOf: (atMs: number) => number,
): readonly number[] {
  const newest = new Map<number, number>();
  for (const { id, createdAtMs } of newestFirst) {
    const period = periodOf(createdAtMs);
    if (!newest.has(period)) newest.set(period, id);
  }
  return [...newest.values()].slice(0, count);
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
