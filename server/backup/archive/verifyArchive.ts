// Reads a whole archive back, without a database: its key, every block, every hash, every count.

import type { ReadContents } from '../../store/system/backups.ts';
import { contentsOf } from './archiveContents.ts';
import type { ArchiveItem } from './archiveItem.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from './faults.ts';
import type { Head } from './head.ts';
import type { ArchiveKey } from './keys.ts';
import type { Manifest } from './manifest.ts';
import { archiveBytes, openArchive } from './readArchive.ts';
import type { ArchiveProgress, ArchiveRun } from './writeArchive.ts';

export interface VerifyTask {
  readonly path: string;
  readonly key: ArchiveKey;
}

export interface Verified {
  readonly ok: true;
  readonly head: Head;
  readonly manifest: Manifest;
  readonly contents: ReadContents;
}

export type ReadRun = Pick<ArchiveRun, 'signal' | 'onProgress'>;

export function verifyArchive({ path, key }: VerifyTask, run: ReadRun): Promise<Verified | ArchiveFailure> {
  return verifyBytes(archiveBytes(path), key, run);
}

/** Verifies bytes from any source. */
export function verifyBytes(
  bytes: AsyncIterable<Buffer>,
  key: ArchiveKey,
  run: ReadRun,
): Promise<Verified | ArchiveFailure> {
  return withFailures(async () => {
    const { head, items, fileKinds, close } = await openArchive(bytes, key);
    try {
      const manifest = await readThrough(items, run);
      return { ok: true, head, manifest, contents: contentsOf(manifest, fileKinds) };
    } finally {
      await close();
    }
  });
}

async function readThrough(items: AsyncIterable<ArchiveItem>, { signal, onProgress }: ReadRun): Promise<Manifest> {
  let progress: ArchiveProgress = { rows: 0, bytes: 0 };
  for await (const item of items) {
    throwIfCanceled(signal);
    if (item.type === 'manifest') return item.manifest;
    if (item.type !== 'rows') continue;
    progress = { rows: progress.rows + item.rows, bytes: progress.bytes + item.lines.length };
    onProgress(progress);
  }
  throw new ArchiveFault('truncated', 'no manifest');
}
