// Restoring the installation from a backup. Those that restore take every permission, the others `system` and `sysbackup`.
import { Nothing, type RecordOf } from '../../protocol/api/records.ts';
import { Backup } from '../../protocol/api/system/backups.ts';
import {
  BACKUP_UPLOADED_PATH,
  RESTORE_PATH,
  RESTORE_PLAN_PATH,
  RestoreState,
  type WantedRestore,
  type WantedRestorePlan,
} from '../../protocol/api/system/restore.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

type Done = RecordOf<typeof Nothing>;

/**
 * It goes on in the background. Codes: `not-a-backup`, `newer-backup`, `no-such-upload`, `upload-incomplete`, `too-many-backups`,
 * `backup-running`, `backup-folder-missing`.
 */
export function takeUploadedBackup(upload: string): Promise<ApiResult<Backup>> {
  return requestRecord(BACKUP_UPLOADED_PATH, Backup, { method: 'POST', body: { upload } });
}

export function getRestoreState(signal?: AbortSignal): Promise<ApiResult<RestoreState>> {
  return requestRecord(RESTORE_PATH, RestoreState, { signal });
}

/** Codes: `no-such-backup`, `backup-file-missing`, `dry-run-running`, and the field `key`. */
export function planRestore(body: WantedRestorePlan): Promise<ApiResult<RestoreState>> {
  return requestRecord(RESTORE_PLAN_PATH, RestoreState, { method: 'POST', body });
}

/** Cancels a dry run that goes on, or forgets one that has ended. */
export function dropRestorePlan(): Promise<ApiResult<Done>> {
  return requestRecord(RESTORE_PLAN_PATH, Nothing, { method: 'DELETE' });
}

/**
 * After it, the gateway answers with 503 `restoring` until it is done; sessions have ended then. Codes: `restore-plan-outdated`,
 * `wrong-title`, `backup-running`, `other-gateways`, `restore-unavailable`, and those of a proof: `wrong-password`, `code-required`, `wrong-code`, `slow-down`.
 */
export function beginRestore(body: WantedRestore): Promise<ApiResult<Done>> {
  return requestRecord(RESTORE_PATH, Nothing, { method: 'POST', body });
}
