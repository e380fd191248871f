// A real folder behind a file system that fails as it is told: full, read-only, gone, or with room for so many bytes.
import type { RecordingFile, RecordingFiles } from '../../../server/recording/files.ts';

export interface FaultyFiles extends RecordingFiles {
  /** Every write fails with this code; undefined: none does. */
  writeError: string | undefined;
  /** Every operation fails with this code. */
  anyError: string | undefined;
  /** Bytes that files may take, as a quota counts them: `space` does not show it. Infinity: no limit. */
  quotaBytes: number;
  /** What `space` says is free; undefined: what the disk says. */
  freeBytes: number | undefined;
  /** Written and not removed. */
  readonly usedBytes: () => number;
}

export function createFaultyFiles(files: RecordingFiles): FaultyFiles {
  const sizes = new Map<string, number>();
  const usedBytes = (): number => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const fail = (code: string): never => {
    throw Object.assign(new Error(`${code}: as the test says`), { code });
  };
  const check = (writes: boolean): void => {
    if (faulty.anyError !== undefined) fail(faulty.anyError);
    if (writes && faulty.writeError !== undefined) fail(faulty.writeError);
  };
  const wrap = (path: string, file: RecordingFile): RecordingFile => ({
    ...file,
    append: async (buffers) => {
      check(true);
      const wanted = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const room = faulty.quotaBytes - usedBytes();
      if (room <= 0) fail('EDQUOT');
      // What fits is taken, as a disk does.
      const written = await file.append(wanted <= room ? buffers : [Buffer.concat(buffers).subarray(0, room)]);
      sizes.set(path, (sizes.get(path) ?? 0) + written);
      return written;
    },
    cut: async (bytes) => {
      check(true);
      await file.cut(bytes);
      sizes.set(path, bytes);
    },
    sync: async () => {
      check(true);
      await file.sync();
    },
  });
  const faulty: FaultyFiles = {
    writeError: undefined,
    anyError: undefined,
    quotaBytes: Number.POSITIVE_INFINITY,
    freeBytes: undefined,
    usedBytes,
    create: async (path) => {
      check(true);
      return wrap(path, await files.create(path));
    },
    createRoot: async (path) => {
      check(true);
      return files.createRoot(path);
    },
    open: async (path, use) => {
      check(use === 'mend');
      return wrap(path, await files.open(path, use));
    },
    replace: async (path, bytes) => {
      check(true);
      await files.replace(path, bytes);
      sizes.set(path, bytes.byteLength);
    },
    list: async (folder) => {
      check(false);
      return files.list(folder);
    },
    remove: async (path) => {
      check(false);
      await files.remove(path);
      sizes.delete(path);
    },
    removeEmptyFolder: (path) => files.removeEmptyFolder(path),
    syncFolder: async (folder) => {
      check(true);
      await files.syncFolder(folder);
    },
    space: async () => {
      check(false);
      const space = await files.space();
      return faulty.freeBytes === undefined ? space : { ...space, freeBytes: faulty.freeBytes };
    },
  };
  return faulty;
}
