import type { BackupCopyState, BackupState, BackupTestState } from '../../../shared/protocol/backup/backupWords.ts';
import type { Judgment } from '../healthSource.ts';
import { figure } from './figures.ts';

const HOUR_MS = 3_600_000;
/** Time to make a backup, and to test it. */
export const BACKUP_LATE_MS = 24 * HOUR_MS;

export interface BackupFacts {
  /** When the schedule should have made the backup after the last one; null: there is no schedule. */
  readonly expectedAtMs: number | null;
  /** State of the last backup that ended, with whatever result; null: none has. */
  readonly lastEnded: BackupState | null;
  readonly newest: NewestBackup | null;
  /** Backups are on the disk of the database: a failure of that disk destroys both. */
  readonly isOnDataDisk: boolean;
}

/** The newest of the backups that are done. */
interface NewestBackup {
  readonly createdAtMs: number;
  readonly endedAtMs: number;
  readonly test: { readonly state: BackupTestState; readonly atMs: number };
  readonly copyState: BackupCopyState;
}

/**
 * A problem: the backup is late by more than a day, has failed, or is not known to be usable, or its copy is late or failed. A warning:
 * it exists only beside the data.
 */
export function judgeBackup({ expectedAtMs, lastEnded, newest, isOnDataDisk }: BackupFacts, nowMs: number): Judgment {
  const values = [
    figure(['last-at', 'time'], newest?.createdAtMs ?? null),
    figure(['tested-at', 'time'], newest === null || newest.test.atMs === 0 ? null : newest.test.atMs),
  ];
  const isLate = expectedAtMs !== null && nowMs > expectedAtMs + BACKUP_LATE_MS;
  if (isLate || lastEnded === 'failed') return { state: 'problem', values, advice: 'run-backup' };
  // No backup was planned or made.
  if (newest === null && expectedAtMs === null) return { state: 'warning', values, advice: 'run-backup' };
  if (newest === null) return { state: 'ok', values, advice: '' };
  const isUntested = newest.test.state === 'none' && nowMs > newest.endedAtMs + BACKUP_LATE_MS;
  if (newest.test.state === 'failed' || isUntested) return { state: 'problem', values, advice: 'test-backup' };
  const isCopyLate = newest.copyState === 'waiting' && nowMs > newest.endedAtMs + BACKUP_LATE_MS;
  if (newest.copyState === 'failed' || isCopyLate) return { state: 'problem', values, advice: 'check-copies' };
  if (isOnDataDisk && newest.copyState === 'none') return { state: 'warning', values, advice: 'move-backups' };
  return { state: 'ok', values, advice: '' };
}
