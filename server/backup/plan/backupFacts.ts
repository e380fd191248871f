// What the list of backups says of how the installation is backed up. Pure.
import { nextRun } from '../../../shared/protocol/nextRun.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import { type KeptPlan, whenOf } from './planText.ts';

export interface BackupFacts {
  /** When the schedule should have made the one after the last; null: there is no schedule. */
  readonly expectedAtMs: number | null;
  /** Of the last that ended; null: none has. One that somebody canceled says nothing. */
  readonly lastEnded: 'done' | 'failed' | null;
  /** Of those that are done; null: there is none. */
  readonly newest: StoredBackup | null;
}

/** A clock that is set right moves by less. */
const AHEAD_MS = 3_600_000;

/**
 * `backups`: all that there are, the newest first. One that was made when the clock was far ahead tells nothing of when: it is the
 * newest only where there is no other, and holds up nothing.
 */
export function backupFacts(
  backups: readonly StoredBackup[],
  { values, changedAtMs }: KeptPlan,
  nowMs: number,
): BackupFacts {
  const isAhead = (atMs: number): boolean => atMs > nowMs + AHEAD_MS;
  // One that was handed in says nothing of how this installation is backed up.
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
