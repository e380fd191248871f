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
  /** Operations begun and not ended. What a test holds up in front of them is not one yet. */
  readonly underWay: () => number;
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
  let underWay = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await work;
    } finally {
      underWay -= 1;
    }
  };
  const wrap = (path: string, file: RecordingFile): RecordingFile => ({
    ...file,
    append: async (buffers) => {
      check(true);
      const wanted = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const room = faulty.quotaBytes - usedBytes();
      if (room <= 0) fail('EDQUOT');
      // What fits is taken, as a disk does.
      const taken = wanted <= room ? buffers : [Buffer.concat(buffers).subarray(0, room)];
      const written = await counted(file.append(taken));
      sizes.set(path, (sizes.get(path) ?? 0) + written);
      return written;
    },
    cut: async (bytes) => {
      check(true);
      await counted(file.cut(bytes));
      sizes.set(path, bytes);
    },
    close: () => counted(file.close()),
    sync: async () => {
      check(true);
      await counted(file.sync());
    },
  });
  const faulty: FaultyFiles = {
    writeError: undefined,
    anyError: undefined,
    quotaBytes: Number.POSITIVE_INFINITY,
    freeBytes: undefined,
    usedBytes,
    underWay: () => underWay,
    create: async (path) => {
      check(true);
      return wrap(path, await counted(files.create(path)));
    },
    createRoot: async (path) => {
      check(true);
      return counted(files.createRoot(path));
    },
    open: async (path, use) => {
      check(use === 'repair');
      return wrap(path, await counted(files.open(path, use)));
    },
    replace: async (path, bytes) => {
      check(true);
      await counted(files.replace(path, bytes));
      sizes.set(path, bytes.byteLength);
    },
    list: async (folder) => {
      check(false);
      return counted(files.list(folder));
    },
    remove: async (path) => {
      check(false);
      await counted(files.remove(path));
      sizes.delete(path);
    },
    removeEmptyFolder: (path) => counted(files.removeEmptyFolder(path)),
    syncFolder: async (folder) => {
      check(true);
      await counted(files.syncFolder(folder));
    },
    space: async () => {
      check(false);
      const space = await counted(files.space());
      return faulty.freeBytes === undefined ? space : { ...space, freeBytes: faulty.freeBytes };
    },
  };
  return faulty;
}
