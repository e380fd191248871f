// Pictures and files of events on disk. A name is a random number of ours, so that nothing from outside ever becomes a path. A file is
// written beside the others, synced, and only then given its name: a file with its name is complete.
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFile } from '../../store/events/eventMediaRows.ts';
import { contentTypeOf, HEAD_BYTES } from './contentType.ts';
import { JpegWalk } from './jpegWalk.ts';

/** A file that is being written. Whoever created it finishes or discards it. */
export interface IncomingFile {
  write(offset: number, data: Uint8Array): Promise<void>;
  /** Settles when the file would survive a power cut. */
  finish(): Promise<FinishedFile>;
  /** Safe after `finish`, and twice. */
  discard(): Promise<void>;
}

export interface FinishedFile extends StoredFile {
  /** Whether it is a JPEG picture without its end: it was cut before it came here. */
  readonly isCutPicture: boolean;
}

const INCOMING = 'incoming';
const FILE_ID = /^[0-9a-f]{32}$/;
const READ_BYTES = 1024 * 1024;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export class EvidenceFiles {
  readonly #root: string;
  /** Folders for files, at most 256, that are there and synced. */
  readonly #folders = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Removes files that a crash has left half written. */
  async start(): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: FOLDER_MODE });
    await rm(join(this.#root, INCOMING), { recursive: true, force: true });
    await mkdir(join(this.#root, INCOMING), { mode: FOLDER_MODE });
  }

  async create(): Promise<IncomingFile> {
    const fileId = randomBytes(16).toString('hex');
    const path = join(this.#root, INCOMING, fileId);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, FILE_MODE);
    return incomingFile({ handle, path, fileId, place: () => this.#place(path, fileId) });
  }

  /** Undefined for a file that is not there. Whoever opened it closes it. */
  async open(fileId: string): Promise<FileHandle | undefined> {
    if (!FILE_ID.test(fileId)) return undefined;
    try {
      return await open(this.#pathOf(fileId), constants.O_RDONLY);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The ids whose files are there. */
  async has(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const fileId of fileIds) {
      const isThere = await access(this.#pathOf(fileId)).then(
        () => true,
        (error: unknown) => !isMissing(error),
      );
      if (isThere) found.add(fileId);
    }
    return found;
  }

  /** Removes files. Missing ones are ignored. */
  async remove(fileIds: readonly string[]): Promise<void> {
    for (const fileId of fileIds) if (FILE_ID.test(fileId)) await unlinkIfThere(this.#pathOf(fileId));
  }

  /** All files, a batch at a time, that were given their names before the moment. */
  async *olderThan(atMs: number): AsyncGenerator<string[]> {
    for (const folder of await readdir(this.#root)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      const found: string[] = [];
      for (const name of await readdir(join(this.#root, folder))) {
        const at = await stat(join(this.#root, folder, name)).catch(() => undefined);
        if (FILE_ID.test(name) && at !== undefined && at.ctimeMs < atMs) found.push(name);
      }
      if (found.length > 0) yield found;
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#root);
    return bavail * bsize;
  }

  async #place(path: string, fileId: string): Promise<void> {
    const folder = join(this.#root, fileId.slice(0, 2));
    await this.#makeFolder(folder);
    try {
      await rename(path, this.#pathOf(fileId));
    } catch (error) {
      this.#folders.delete(folder);
      throw error;
    }
    await syncFolder(folder);
  }

  /** A write that finds the folder being made by another one waits until it would survive a power cut, too. */
  #makeFolder(folder: string): Promise<void> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const made = mkdir(folder, { recursive: true, mode: FOLDER_MODE }).then(() => syncFolder(this.#root));
    this.#folders.set(folder, made);
    made.catch(() => this.#folders.delete(folder));
    return made;
  }

  #pathOf(fileId: string): string {
    return join(this.#root, fileId.slice(0, 2), fileId);
  }
}

interface Incoming {
  readonly handle: FileHandle;
  readonly path: string;
  readonly fileId: string;
  readonly place: () => Promise<void>;
}

function incomingFile({ handle, path, fileId, place }: Incoming): IncomingFile {
  let isOver = false;
  return {
    write: async (offset, data) => {
      let written = 0;
      while (written < data.byteLength) {
        const { bytesWritten } = await handle.write(data, written, data.byteLength - written, offset + written);
        if (bytesWritten === 0) throw new Error('the disk took nothing of a write');
        written += bytesWritten;
      }
    },
    finish: async () => {
      await handle.sync();
      const stored = await describe(handle, fileId);
      await handle.close();
      await place();
      isOver = true;
      return stored;
    },
    discard: async () => {
      if (isOver) return;
      isOver = true;
      await handle.close().catch(() => undefined);
      await unlinkIfThere(path);
    },
  };
}

/** Describes the file from what is read back, as its parts came in any order: the promise is about what the disk returns. */
async function describe(handle: FileHandle, fileId: string): Promise<FinishedFile> {
  const hash = createHash('sha256');
  const picture = new JpegWalk();
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let head: Uint8Array = new Uint8Array();
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, bytes);
    if (bytesRead === 0) break;
    if (bytes === 0) head = Uint8Array.from(buffer.subarray(0, Math.min(HEAD_BYTES, bytesRead)));
    hash.update(buffer.subarray(0, bytesRead));
    picture.push(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  const contentType = contentTypeOf(head);
  const isCutPicture = contentType === 'image/jpeg' && picture.wholeBytes === undefined;
  return { fileId, contentType, bytes, sha256: hash.digest('hex'), isCutPicture };
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
