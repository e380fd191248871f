// Makes an archive of a database. Called in a thread of its own: on the embedded database, statements run in the calling thread.
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OnFault } from '../../faults/onFault.ts';
import { openSnapshot } from '../../store/backup/openSnapshot.ts';
import type { Snapshot } from '../../store/backup/snapshot.ts';
import type { HistoryPart } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { syncPath } from '../files/syncPath.ts';
import { type BodySource, bodyFrames, type SourceFile } from './bodyWriter.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from './faults.ts';
import { encodeHead, PRODUCT } from './head.ts';
import { type KeptFree, type MeasureDisk, openRoom } from './keptFree.ts';
import { type ArchiveKey, createKey } from './keys.ts';
import { checkListed } from './listedTables.ts';
import type { Manifest } from './manifest.ts';
import { writeSealed } from './sealedBody.ts';

/** Maximum size of the write-ahead log, which can't restart during a read transaction. */
export const MAX_LOG_BYTES = 1024 * 1024 * 1024;
const LOG_CHECK_MS = 1_000;

export interface WriteTask {
  readonly database: DatabaseLocation;
  /** Final name of the file. A file with this name is complete. */
  readonly path: string;
  readonly productVersion: string;
  readonly createdAtMs: number;
  readonly note: string;
  readonly history: readonly HistoryPart[];
  readonly files: readonly SourceFile[];
  readonly key: ArchiveKey;
  readonly maxLogBytes: number;
  /** Left out: nothing is recorded. */
  readonly keptFree?: KeptFree | undefined;
}

export interface ArchiveProgress {
  readonly rows: number;
  /** Before compression. */
  readonly bytes: number;
}

export interface ArchiveRun {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ArchiveProgress) => void;
  readonly onFault: OnFault;
  /** Left out: the real disks. */
  readonly measureDisk?: MeasureDisk | undefined;
}

export interface Written {
  readonly ok: true;
  readonly manifest: Manifest;
  /** Size of the archive itself. */
  readonly bytes: number;
  /** Hash of all bytes of the archive, in hex. */
  readonly sha256: string;
}

export function writeArchive(task: WriteTask, run: ArchiveRun): Promise<Written | ArchiveFailure> {
  return withFailures(async () => {
    const snapshot = await openSnapshot(task.database, run.onFault);
    try {
      return await writeSynced(task.path, (handle) => writeFrom(snapshot, task, { handle, run }));
    } finally {
      await snapshot.close();
    }
  });
}

/** Writes under a temporary name until all is on the disk. Nothing is left of it after a failure. */
async function writeSynced<Result>(path: string, write: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    let result: Result;
    try {
      result = await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncPath(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeFrom(
  snapshot: Snapshot,
  task: WriteTask,
  { handle, run }: { readonly handle: FileHandle; readonly run: ArchiveRun },
): Promise<Written> {
  const { productVersion, createdAtMs, note, history, files } = task;
  const { engine, schemaVersion } = snapshot;
  const { encryption, blockKey } = await createKey(task.key);
  const head = encodeHead({ product: PRODUCT, productVersion, schemaVersion, engine, createdAtMs, note, encryption });
  const noncePrefix = Buffer.from(encryption.kind === 'none' ? '' : encryption.nonce, 'hex');
  const isEncrypted = blockKey !== undefined;
  const onPart = watch(snapshot, task.maxLogBytes, run);
  const room = await openRoom(
    { folder: dirname(task.path), keptFree: task.keptFree, expectedBytes: 0 },
    run.measureDisk,
  );
  const body = bodyFrames({ snapshot, history, files, createdAtMs, isEncrypted, onPart });
  const kept: { manifest?: Manifest } = {};
  const frames = keeping(body, (manifest) => {
    kept.manifest = manifest;
  });
  let bytes = 0;
  const hash = createHash('sha256');
  await writeSealed({ key: blockKey, noncePrefix, head }, frames, async (part) => {
    throwIfCanceled(run.signal);
    for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten;
    hash.update(part);
    bytes += part.length;
    await room.taken(bytes);
  });
  if (kept.manifest === undefined) throw new Error('the body of a backup ended without its manifest');
  checkListed(kept.manifest.tables);
  return { ok: true, manifest: kept.manifest, bytes, sha256: hash.digest('hex') };
}

async function* keeping<Part, End>(parts: AsyncGenerator<Part, End>, keep: (end: End) => void): AsyncGenerator<Part> {
  keep(yield* parts);
}

/** Checks between two parts whether to go on. */
function watch(snapshot: Snapshot, maxLogBytes: number, { signal, onProgress }: ArchiveRun): BodySource['onPart'] {
  let [rows, bytes] = [0, 0];
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  return async (newRows, newBytes) => {
    throwIfCanceled(signal);
    rows += newRows;
    bytes += newBytes;
    onProgress({ rows, bytes });
    if (performance.now() - checkedAtMs < LOG_CHECK_MS) return;
    checkedAtMs = performance.now();
    const logBytes = await snapshot.logBytes();
    if (logBytes > maxLogBytes) throw new ArchiveFault('wal-too-large', `the write-ahead log has ${logBytes} bytes`);
  };
}
