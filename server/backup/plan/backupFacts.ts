// The facts in the list of backups about how the installation is backed up. Pure.
import { nextRun } from '../../../shared/protocol/nextRun.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import { type KeptPlan, whenOf } from './planText.ts';

export interface BackupFacts {
  /** When the schedule should have made the backup after the last; null: there is no schedule. */
  readonly expectedAtMs: number | null;
  /** State of the last backup that ended; null: none has. Canceled ones don't count. */
  readonly lastEnded: 'done' | 'failed' | null;
  /** The newest finished backup; null: there is none. */
  readonly newest: StoredBackup | null;
}

/** Correcting a clock moves it by less than this. */
const AHEAD_MS = 3_600_000;

/**
 * `backups`: all backups, the newest first. The time of a backup that was made when the clock was far ahead is meaningless: it is the
 * newest only where there is no other, and holds up nothing.
 */
export function backupFacts(
  backups: readonly StoredBackup[],
  { values, changedAtMs }: KeptPlan,
  nowMs: number,
): BackupFacts {
  const isAhead = (atMs: number): boolean => atMs > nowMs + AHEAD_MS;
  // A backup that was uploaded says nothing about how this installation is backed up.
  const own = backups.filter(({ isUploaded }) => !isUploaded);
  const newestFirst = own.toSorted((a, b) => Number(isAhead(a.createdAtMs)) - Number(isAhead(b.createdAtMs)));
  const newest = newestFirst.find(({ state }) => state === 'done') ?? null;
  const last = newestFirst.find(({ state }) => state === 'done' || state === 'failed');
  const sinceMs = Math.max(0, ...[changedAtMs, newest?.createdAtMs ?? 0].filter((atMs) => !isAhead(atMs)));
  return {
    expectedAtMs: values.enabled ? nextRun(whenOf(values), values.timeZone, sinceMs) : null,
    lastEnded: last === undefined ? null : last.state === 'done' ? 'done' : 'failed',
    newest,
  };
}
