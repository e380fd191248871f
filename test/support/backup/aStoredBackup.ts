import type { StoredBackup } from '../../../server/store/system/backupRows.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

/** Made by schedule, done and tested. */
export function aStoredBackup({
  createdAtMs = 0,
  ...changes
}: Partial<Omit<StoredBackup, 'createdAtMs'>> & { readonly createdAtMs?: number } = {}): StoredBackup {
  return {
    ...{ id: 1, file: 'fleetglass-20261127-020000-0a1b2c.fgb', createdAtMs: wallMs(createdAtMs) },
    ...{ endedAtMs: wallMs(createdAtMs + 60_000), madeBy: '', isManual: false, isUploaded: false, note: '' },
    ...{ state: 'done', fault: '', detail: '', bytes: 4, rows: 3, sha256: 'ab', sealedKey: '' },
    ...{ productVersion: '1', schemaVersion: 33, engine: 'sqlite', history: [], files: [], encryption: 'none' },
    test: { state: 'passed', atMs: wallMs(createdAtMs + 90_000), durationMs: 30_000, fault: '' },
    ...{ copyState: 'none', copyFault: '' },
    ...changes,
  };
}
