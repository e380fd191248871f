import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { belowDataDir } from '../../installation.ts';
import { syncPath } from '../files/syncPath.ts';
import type { ExchangeDisk } from './exchange.ts';
import { readJournal, removeJournal, writeJournal } from './journal.ts';

const FOLDER_MODE = 0o700;

export function exchangeDisk(dataDir: string): ExchangeDisk {
  const at = (path: string): string => belowDataDir(dataDir, path);
  return {
    exists: (path) => existsSync(at(path)),
    rename: async (from, to) => {
      await mkdir(dirname(at(to)), { recursive: true, mode: FOLDER_MODE });
      await rename(at(from), at(to));
    },
    syncFoldersOf: async (paths) => {
      const folders = new Set(paths.flatMap(foldersOf));
      for (const folder of folders) if (existsSync(at(folder))) await syncPath(at(folder));
    },
    readJournal: () => readJournal(dataDir),
    writeJournal: (journal) => writeJournal(dataDir, journal),
    removeJournal: () => removeJournal(dataDir),
  };
}

/** The folders of a path with their own parents: some of them may be new. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}
