// Importing parts of a backup into the running installation. All calls take `system` and `sysbackup`.
import { Nothing, type RecordOf } from '../../protocol/api/records.ts';
import {
  BACKUP_PARTS_APPLY_PATH,
  BACKUP_PARTS_PATH,
  PartsImportState,
  type WantedParts,
} from '../../protocol/api/system/backupParts.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

type Done = RecordOf<typeof Nothing>;

export function getPartsImport(signal?: AbortSignal): Promise<ApiResult<PartsImportState>> {
  return requestRecord(BACKUP_PARTS_PATH, PartsImportState, { signal });
}

/** Codes: `no-such-backup`, `backup-file-missing`, `parts-import-running`, and the fields `key` and `parts`. */
export function planParts(body: WantedParts): Promise<ApiResult<PartsImportState>> {
  return requestRecord(BACKUP_PARTS_PATH, PartsImportState, { method: 'POST', body });
}

/** Codes: `parts-import-outdated`. What is refused of a row, its `result` says. */
export function applyParts(id: string): Promise<ApiResult<PartsImportState>> {
  return requestRecord(BACKUP_PARTS_APPLY_PATH, PartsImportState, { method: 'POST', body: { id } });
}

/** Cancels a dry run that goes on, or forgets what has ended. An import that goes on ends after the row that it is at. */
export function dropPartsImport(): Promise<ApiResult<Done>> {
  return requestRecord(BACKUP_PARTS_PATH, Nothing, { method: 'DELETE' });
}
