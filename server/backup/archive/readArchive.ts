// Reads an archive from its file as items, one after another. The items are only proven to be intact when the reading has ended.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { placeOf } from '../files/archivedFiles.ts';
import { SeenFiles } from '../files/seenFiles.ts';
import type { ArchiveItem } from './archiveItem.ts';
import { MANIFEST_LIMIT } from './bounds.ts';
import { ByteReader } from './byteReader.ts';
import { ArchiveFault } from './faults.ts';
import { type Frame, FrameType, readFrame } from './frames.ts';
import { bytesAfterPrefix, decodeHead, type Head, PREFIX_BYTES } from './head.ts';
import { type ArchiveKey, openKey } from './keys.ts';
import { countLines } from './lines.ts';
import { decodeFile, decodeManifest, decodeTable, type FileHeader, type FileKind } from './manifest.ts';
import { readSealed, skipSealed } from './sealedBody.ts';
import { Tally } from './tally.ts';

export interface OpenArchive {
  readonly head: Head;
  /** To be read once. Throws an `ArchiveFault` where something is wrong. */
  readonly items: AsyncIterable<ArchiveItem>;
  /** Kinds of the files that were read so far. */
  readonly fileKinds: ReadonlySet<FileKind>;
  /** To be called by whoever opened it, however far the items were read. */
  close(): Promise<void>;
}

/** Reads the head, which needs no key. */
export async function readHead(bytes: AsyncIterable<Buffer>): Promise<Head> {
  const reader = new ByteReader(bytes);
  try {
    return (await takeHead(reader)).head;
  } finally {
    await reader.close();
  }
}

/** Reads all of it without a key: this proves that it is complete and has no accidental change. `onBytes` gets the number so far. */
export async function readSealedThrough(bytes: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): Promise<void> {
  const hash = createHash('sha256');
  let count = 0;
  const reader = new ByteReader(bytes, (taken) => {
    hash.update(taken);
    count += taken.length;
  });
  try {
    await takeHead(reader);
    await skipSealed({ reader, hash }, () => onBytes(count));
  } finally {
    await reader.close();
  }
}

export async function openArchive(bytes: AsyncIterable<Buffer>, key: ArchiveKey): Promise<OpenArchive> {
  const hash = createHash('sha256');
  const reader = new ByteReader(bytes, (taken) => hash.update(taken));
  try {
    const { head, encoded } = await takeHead(reader);
    const { encryption } = head;
    const blockKey = await openKey(encryption, key);
    const noncePrefix = Buffer.from(encryption.kind === 'none' ? '' : encryption.nonce, 'hex');
    const body = readSealed({ key: blockKey, noncePrefix, head: encoded }, { reader, hash });
    const frames = new ByteReader(body);
    const close = async (): Promise<void> => {
      await frames.close();
      await reader.close();
    };
    const fileKinds = new Set<FileKind>();
    return { head, items: itemsOf(frames, fileKinds), fileKinds, close };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** The file's bytes. It is closed at the end, and when the reader stops before. */
export async function* archiveBytes(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(READ_BYTES);
      const { bytesRead } = await handle.read(part, 0, READ_BYTES);
      if (bytesRead === 0) return;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const READ_BYTES = 256 * 1024;

async function takeHead(reader: ByteReader): Promise<{ readonly head: Head; readonly encoded: Buffer }> {
  const prefix = await reader.take(PREFIX_BYTES);
  const rest = await reader.take(bytesAfterPrefix(prefix));
  return { head: decodeHead(prefix, rest), encoded: Buffer.concat([prefix, rest]) };
}

async function* itemsOf(body: ByteReader, fileKinds: Set<FileKind>): AsyncGenerator<ArchiveItem> {
  const [tally, seen] = [new Tally(), new SeenFiles()];
  for (;;) {
    const frame = await readFrame(body);
    if (frame === undefined) throw new ArchiveFault('truncated', 'the body has no manifest');
    const item = itemOf(frame, seen);
    tally.take(item, frame.bytes);
    if (item.type === 'file') fileKinds.add(item.file.kind);
    // The blocks after it and the hash of the file are checked before anybody relies on the manifest.
    const isLast = item.type === 'manifest';
    if (isLast && !(await body.isAtEnd())) throw new ArchiveFault('damaged', 'something comes after the manifest');
    yield item;
    if (isLast) return;
  }
}

function itemOf({ type, bytes }: Frame, seen: SeenFiles): ArchiveItem {
  switch (type) {
    case FrameType.Table:
      return { type: 'table', table: decodeTable(bytes) };
    case FrameType.Rows:
      return { type: 'rows', lines: bytes, rows: countLines(bytes) };
    case FrameType.TableEnd:
      return { type: 'table-end' };
    case FrameType.File:
      return { type: 'file', file: fileOf(bytes, seen) };
    case FrameType.FileBytes:
      return { type: 'file-bytes', bytes };
    case FrameType.FileEnd:
      return { type: 'file-end' };
    case FrameType.Manifest:
      if (bytes.length > MANIFEST_LIMIT.max) throw new ArchiveFault('too-large', 'the manifest');
      return { type: 'manifest', manifest: decodeManifest(bytes) };
  }
}

/** Decodes a file header. A test of the archive already fails here for a file that a restore could not place. */
function fileOf(bytes: Buffer, seen: SeenFiles): FileHeader {
  const file = decodeFile(bytes);
  if (placeOf(file) === undefined) {
    throw new ArchiveFault('damaged', `no file of an installation is a ${file.kind} ${file.name}`);
  }
  if (!seen.isNew(file)) throw new ArchiveFault('damaged', `the ${file.kind} ${file.name} comes twice`);
  return file;
}
