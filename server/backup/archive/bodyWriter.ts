// The body of an archive: tables, files, and the manifest that lists them.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Snapshot } from '../../store/backup/snapshot.ts';
import { type HistoryPart, isBackedUp, keptRows, partOf } from '../../store/backup/tableParts.ts';
import { COLUMNS_LIMIT, MANIFEST_LIMIT, PART_BYTES, TABLES_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';
import { encodeFrame, FrameType } from './frames.ts';
import { PRODUCT } from './head.ts';
import type { FileHeader, FileSums, Manifest, TableEntry } from './manifest.ts';
import { tableFrames } from './tableWriter.ts';

export interface SourceFile extends FileHeader {
  readonly path: string;
}

export interface BodySource {
  readonly snapshot: Snapshot;
  readonly history: readonly HistoryPart[];
  readonly files: readonly SourceFile[];
  readonly createdAtMs: number;
  readonly isEncrypted: boolean;
  /** Called with each part of a table or of a file; may throw. */
  readonly onPart: (rows: number, bytes: number) => void | Promise<void>;
}

/** Returns the manifest. */
export async function* bodyFrames(source: BodySource): AsyncGenerator<Buffer, Manifest> {
  const { snapshot, history, createdAtMs } = source;
  const entries: TableEntry[] = [];
  for (const table of tablesOf(source)) {
    const kept = keptRows(table.name, source.isEncrypted);
    entries.push(yield* tableFrames({ snapshot, table, kept, onPart: source.onPart }));
  }
  const manifest: Manifest = {
    product: PRODUCT,
    schemaVersion: snapshot.schemaVersion,
    engine: snapshot.engine,
    createdAtMs,
    history: [...history],
    tables: entries,
    files: yield* fileFrames(source),
  };
  const json = Buffer.from(JSON.stringify(manifest));
  if (json.length > MANIFEST_LIMIT.max) throw new ArchiveFault('too-large', `a manifest of ${json.length} bytes`);
  yield encodeFrame(FrameType.Manifest, json);
  return manifest;
}

function tablesOf({ snapshot, history }: BodySource): Snapshot['tables'] {
  const unknown = snapshot.tables.find(({ name }) => partOf(name) === undefined);
  // Somebody has made a table of their own in the gateway's schema; a restore without it would lose it silently.
  if (unknown !== undefined) throw new ArchiveFault('unknown-table', unknown.name);
  const tables = snapshot.tables.filter(({ name }) => isBackedUp(name, history));
  if (tables.length > TABLES_LIMIT.max) throw new ArchiveFault('too-large', `${tables.length} tables`);
  const wide = tables.find(({ columns }) => columns.length > COLUMNS_LIMIT.max);
  if (wide !== undefined) throw new ArchiveFault('too-large', `${wide.columns.length} columns in ${wide.name}`);
  return tables;
}

async function* fileFrames({ files, onPart }: BodySource): AsyncGenerator<Buffer, FileSums> {
  const hash = createHash('sha256');
  let bytes = 0;
  let count = 0;
  for (const { kind, name, path } of files) {
    const handle = await openIfThere(path);
    // The file was removed since it was listed: results expire, pictures make room.
    if (handle === undefined) continue;
    count++;
    const header = Buffer.from(JSON.stringify({ kind, name } satisfies FileHeader));
    const frame = encodeFrame(FrameType.File, header);
    try {
      hash.update(frame);
      yield frame;
      for await (const part of partsOf(handle)) {
        hash.update(part);
        bytes += part.length;
        yield encodeFrame(FrameType.FileBytes, part);
        await onPart(0, part.length);
      }
      yield encodeFrame(FrameType.FileEnd);
    } finally {
      await handle.close();
    }
  }
  return { files: count, bytes, sha256: hash.digest('hex') };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* partsOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const part = Buffer.allocUnsafe(PART_BYTES);
    const { bytesRead } = await handle.read(part, 0, PART_BYTES);
    if (bytesRead === 0) return;
    yield part.subarray(0, bytesRead);
  }
}
