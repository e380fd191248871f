import type { BackupCopyState, BackupState, BackupTestState } from '../../../shared/protocol/backup/backupWords.ts';
import type { Judgment } from '../healthSource.ts';
import { figure } from './figures.ts';

const HOUR_MS = 3_600_000;
/** Time to make it, and to try it. */
export const BACKUP_LATE_MS = 24 * HOUR_MS;

export interface BackupFacts {
  /** When the schedule should have made the one after the last; null: there is no schedule. */
  readonly expectedAtMs: number | null;
  /** Of the last that ended, whatever became of it; null: none has. */
  readonly lastEnded: BackupState | null;
  readonly newest: NewestBackup | null;
  /** Backups lie on the disk of the database: what breaks it takes them with it. */
  readonly isOnDataDisk: boolean;
}

/** Of those that are done. */
interface NewestBackup {
  readonly createdAtMs: number;
  readonly endedAtMs: number;
  readonly test: { readonly state: BackupTestState; readonly atMs: number };
  readonly copyState: BackupCopyState;
}

/** Late by more than a day, failed, or not known to be of any use; its copy is late or failed, or it lies nowhere but beside the data. */
export function judgeBackup({ expectedAtMs, lastEnded, newest, isOnDataDisk }: BackupFacts, nowMs: number): Judgment {
  const values = [
    figure(['last-at', 'time'], newest?.createdAtMs ?? null),
    figure(['tested-at', 'time'], newest === null || newest.test.atMs === 0 ? null : newest.test.atMs),
  ];
  const isLate = expectedAtMs !== null && nowMs > expectedAtMs + BACKUP_LATE_MS;
  if (isLate || lastEnded === 'failed') return { state: 'problem', values, advice: 'run-backup' };
  // Nobody has planned one or made one.
  if (newest === null && expectedAtMs === null) return { state: 'warning', values, advice: 'run-backup' };
  if (newest === null) return { state: 'ok', values, advice: '' };
  const isUntested = newest.test.state === 'none' && nowMs > newest.endedAtMs + BACKUP_LATE_MS;
  if (newest.test.state === 'failed' || isUntested) return { state: 'problem', values, advice: 'test-backup' };
  const isCopyLate = newest.copyState === 'waiting' && nowMs > newest.endedAtMs + BACKUP_LATE_MS;
  if (newest.copyState === 'failed' || isCopyLate) return { state: 'problem', values, advice: 'check-copies' };
  if (isOnDataDisk && newest.copyState === 'none') return { state: 'warning', values, advice: 'move-backups' };
  return { state: 'ok', values, advice: '' };
}
