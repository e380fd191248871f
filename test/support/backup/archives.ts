// Archives for tests.
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ArchiveFailure } from '../../../server/backup/archive/faults.ts';
import {
  type ArchiveRun,
  MAX_LOG_BYTES,
  type WriteTask,
  type Written,
  writeArchive,
} from '../../../server/backup/archive/writeArchive.ts';
import { HISTORY_PARTS } from '../../../server/store/backup/tableParts.ts';
import type { DatabaseLocation } from '../../../server/store/engine/database.ts';

export function aRun(changes: Partial<ArchiveRun> = {}): ArchiveRun {
  return {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onFault: (error) => {
      throw error;
    },
    ...changes,
  };
}

/** With all history, not encrypted. */
export function aWriteTask(database: DatabaseLocation, folder: string, changes: Partial<WriteTask> = {}): WriteTask {
  return {
    database,
    path: join(folder, 'a.fgbackup'),
    productVersion: '1.2.3',
    createdAtMs: 1_764_000_000_000,
    note: '',
    history: HISTORY_PARTS,
    files: [],
    key: { kind: 'none' },
    maxLogBytes: MAX_LOG_BYTES,
    ...changes,
  };
}

export async function written(task: WriteTask): Promise<Written> {
  return succeeded(await writeArchive(task, aRun()));
}

export function succeeded<Success extends { readonly ok: true }>(outcome: Success | ArchiveFailure): Success {
  if (!outcome.ok) expect.fail(`${outcome.fault}: ${outcome.detail}`);
  return outcome;
}

/** What two archives of the same data have in common. */
export function tableHashes({ manifest }: Pick<Written, 'manifest'>): ReadonlyMap<string, string> {
  return new Map(manifest.tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]));
}
