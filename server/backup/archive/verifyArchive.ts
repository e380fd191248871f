// Reads a whole archive back, without a database: its key, every block, every hash, every count.
import { archiveBytes, openArchive } from './readArchive.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from './faults.ts';
import type { Head } from './head.ts';
import type { ArchiveKey } from './keys.ts';
import type { Manifest } from './manifest.ts';
import type { ArchiveProgress, ArchiveRun } from './writeArchive.ts';

export interface VerifyTask {
  readonly path: string;
  readonly key: ArchiveKey;
}

export interface Verified {
  readonly ok: true;
  readonly head: Head;
  readonly manifest: Manifest;
}

export function verifyArchive(
  { path, key }: VerifyTask,
  run: Pick<ArchiveRun, 'signal' | 'onProgress'>,
): Promise<Verified | ArchiveFailure> {
  return verifyBytes(archiveBytes(path), key, run);
}

/** From wherever they lie. */
export function verifyBytes(
  bytes: AsyncIterable<Buffer>,
  key: ArchiveKey,
  { signal, onProgress }: Pick<ArchiveRun, 'signal' | 'onProgress'>,
): Promise<Verified | ArchiveFailure> {
  return withFailures(async () => {
    const { head, items } = await openArchive(bytes, key);
    let progress: ArchiveProgress = { rows: 0, bytes: 0 };
    for await (const item of items) {
      throwIfCanceled(signal);
      if (item.type === 'rows') {
        progress = { rows: progress.rows + item.rows, bytes: progress.bytes + item.lines.length };
        onProgress(progress);
      }
      if (item.type === 'manifest') return { ok: true, head, manifest: item.manifest };
    }
    throw new ArchiveFault('truncated', 'no manifest');
  });
}
