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

/** `backups`: all that there are, the newest first. */
export function backupFacts(backups: readonly StoredBackup[], { values, changedAtMs }: KeptPlan): BackupFacts {
  // One that was handed in says nothing of how this installation is backed up.
  const newestFirst = backups.filter(({ isUploaded }) => !isUploaded);
  const newest = newestFirst.find(({ state }) => state === 'done') ?? null;
  const last = newestFirst.find(({ state }) => state === 'done' || state === 'failed');
  const sinceMs = Math.max(changedAtMs, newest?.createdAtMs ?? 0);
  return {
    expectedAtMs: values.enabled ? nextRun(whenOf(values), values.timeZone, sinceMs) : null,
    lastEnded: last === undefined ? null : last.state === 'done' ? 'done' : 'failed',
    newest,
  };
}
