// Backups of the installation. All calls take `system` and `sysbackup`; a download and
// another encryption or key take every permission.
import type { SecondFactorProof } from '../../protocol/api/ownAccount.ts';
import { Nothing, type RecordOf } from '../../protocol/api/records.ts';
import {
  BACKUP_PLAN_PATH,
  BACKUPS_PATH,
  Backup,
  BackupAddress,
  BackupList,
  BackupPlan,
  backupCancelPath,
  backupDownloadPath,
  backupPath,
  backupTestPath,
  type ChangedBackupPlan,
  SavedBackupPlan,
} from '../../protocol/api/system/backups.ts';
import type { ApiResult } from '../client.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

type Done = RecordOf<typeof Nothing>;

export function getBackups(signal?: AbortSignal): Promise<ApiResult<BackupList>> {
  return requestRecord(BACKUPS_PATH, BackupList, { signal });
}

/** Codes: `backup-running`, `backup-key-missing`, `too-many-backups`. */
export function makeBackup(note: string): Promise<ApiResult<Backup>> {
  return requestRecord(BACKUPS_PATH, Backup, { method: 'POST', body: { note } });
}

/** Codes: `no-such-backup`, `backup-ended`. */
export function cancelBackup(id: number): Promise<ApiResult<Done>> {
  return requestRecord(backupCancelPath(id), Nothing, { method: 'POST' });
}

/** `key`: '' for the one that the installation keeps. Codes: `no-such-backup`, `backup-running`, and the field `key`. */
export function testBackup(id: number, key: string): Promise<ApiResult<Backup>> {
  return requestRecord(backupTestPath(id), Backup, { method: 'POST', body: { key } });
}

/** Codes: `no-such-backup`, `backup-running`, `last-tested-backup`, `backup-folder-missing`. */
export function deleteBackup(id: number): Promise<ApiResult<Done>> {
  return requestRecord(backupPath(id), Nothing, { method: 'DELETE' });
}

/** Codes: `no-such-backup`, `backup-file-missing`, and those of a proof: `wrong-password`, `code-required`, `wrong-code`, `slow-down`. */
export function requestBackupDownload(id: number, proof: SecondFactorProof): Promise<ApiResult<BackupAddress>> {
  return requestRecord(backupDownloadPath(id), BackupAddress, { method: 'POST', body: proof });
}

export function getBackupPlan(signal?: AbortSignal): Promise<ApiResult<BackupPlan>> {
  return requestRecord(BACKUP_PLAN_PATH, BackupPlan, { signal });
}

/**
 * Codes: `conflict`, whose data `readBackupPlan` reads, and the fields `timeZone` and `passphrase`; for another encryption or key also
 * `beyond-own`, the field `password`, and those of a proof.
 */
export function changeBackupPlan(body: ChangedBackupPlan): Promise<ApiResult<SavedBackupPlan>> {
  return requestRecord(BACKUP_PLAN_PATH, SavedBackupPlan, { method: 'PUT', body });
}

export function readBackupPlan(data: unknown): BackupPlan {
  return readRecord(BackupPlan, data);
}
