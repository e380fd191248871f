// The file system as recordings need it: a narrow interface, so that full, read-only and failing disks are tested as
// they are, and the one implementation on node:fs. Paths are relative to the recordings' folder.
import { constants, type Dirent } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rmdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { MARKER_NAME } from './segmentPath.ts';

/** One open file; who opened it closes it. */
export interface RecordingFile {
  /** Writes at the end. Gives the number of bytes written, which may be fewer than there are. */
  append(buffers: readonly Uint8Array[]): Promise<number>;
  /** Waits until what was written would survive a power cut. */
  sync(): Promise<void>;
  cut(bytes: number): Promise<void>;
  /** Gives the number of bytes read; 0 at the end. */
  read(target: Uint8Array, position: number): Promise<number>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface RecordingFiles {
  /**
   * Makes the file and the folders above it, but not the recordings' folder itself: where that is gone the disk is, and
   * its mount point must not be filled. Fails with EEXIST when the file is there.
   */
  create(path: string): Promise<RecordingFile>;
  /** Makes the file and every folder above it. */
  createRoot(path: string): Promise<RecordingFile>;
  /** Fails with ENOENT when it is not there. `mend` may also cut and append. */
  open(path: string, use: 'read' | 'repair'): Promise<RecordingFile>;
  /** Replaces the file as a whole: a reader sees the old one or the new one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Empty for a folder that is not there. */
  list(folder: string): Promise<FolderEntry[]>;
  /** A file that is not there is fine. */
  remove(path: string): Promise<void>;
  /** Removes the folder if it is empty. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Makes new names in it survive a power cut. */
  syncFolder(folder: string): Promise<void>;
  space(): Promise<Space>;
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export function createRecordingFiles(root: string): RecordingFiles {
  const at = (path: string): string => join(root, path);
  return {
    create: (path) => createFile(at(path), () => access(at(MARKER_NAME))),
    createRoot: (path) => createFile(at(path), () => Promise.resolve()),
    open: async (path, use) => {
      const flags = use === 'read' ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND;
      return wrap(await open(at(path), flags));
    },
    replace: (path, bytes) => replaceFile(at(path), bytes),
    list: async (folder) =>
      (await entriesOf(at(folder))).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() })),
    remove: (path) => ignoring(['ENOENT'], () => unlink(at(path))),
    removeEmptyFolder: (path) => ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdir(at(path))),
    syncFolder: (folder) => syncFolder(at(folder)),
    space: async () => {
      const { bavail, blocks, bsize } = await statfs(root);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
}

async function createFile(path: string, beforeFolders: () => Promise<void>): Promise<RecordingFile> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
  try {
    return wrap(await open(path, flags, FILE_MODE));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await beforeFolders();
    await mkdir(join(path, '..'), { recursive: true, mode: FOLDER_MODE });
    return wrap(await open(path, flags, FILE_MODE));
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.new`;
  const handle = await open(beside, 'w', FILE_MODE);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(beside, path);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
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

async function ignoring(codes: readonly string[], run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!codes.includes(errorCode(error))) throw error;
  }
}

function wrap(handle: FileHandle): RecordingFile {
  return {
    append: async (buffers) => (await handle.writev([...buffers])).bytesWritten,
    sync: () => handle.datasync(),
    cut: (bytes) => handle.truncate(bytes),
    read: async (target, position) => (await handle.read(target, 0, target.byteLength, position)).bytesRead,
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}

/** Reads exactly `bytes` from a position, or fewer where the file ends. */
export async function readFully(
  file: RecordingFile,
  position: number,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new Uint8Array(bytes);
  let filled = 0;
  while (filled < bytes) {
    const count = await file.read(target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return target.subarray(0, filled);
}

/** The whole file; undefined when it is not there. */
export async function readWhole(files: RecordingFiles, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let file: RecordingFile;
  try {
    file = await files.open(path, 'read');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await readFully(file, 0, await file.size());
  } finally {
    await file.close();
  }
}

/** A write may take fewer bytes than it was given: the rest is written again until nothing is left. */
export async function appendAll(file: RecordingFile, buffers: readonly Uint8Array[]): Promise<void> {
  let left = buffers.filter(({ byteLength }) => byteLength > 0);
  while (left.length > 0) {
    const part = left.slice(0, MAX_BUFFERS_A_WRITE);
    const written = await file.append(part);
    if (written <= 0) throw new Error('the disk took nothing of a write');
    left = [...dropBytes(part, written), ...left.slice(part.length)];
  }
}

/** The system takes 1,024 buffers a call. */
const MAX_BUFFERS_A_WRITE = 512;

function dropBytes(buffers: readonly Uint8Array[], count: number): Uint8Array[] {
  let skip = count;
  const left: Uint8Array[] = [];
  for (const buffer of buffers) {
    if (skip >= buffer.byteLength) skip -= buffer.byteLength;
    else {
      left.push(buffer.subarray(skip));
      skip = 0;
    }
  }
  return left;
}
