import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The repository's folder. */
export const repository = join(import.meta.dirname, '../..');

/** The files below the folders that match, as paths with forward slashes relative to `root`. Folders that are not there have none. */
export function filesIn(root: string, folders: readonly string[], matching: RegExp): string[] {
  return folders.flatMap((folder) => below(root, folder)).filter((path) => matching.test(path));
}

function below(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return isMadeByTools(path) ? [] : below(root, path);
      return [path];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Packages, and what tests and benches leave behind: copies of the code for planted faults and for other Nodes among it. */
function isMadeByTools(folder: string): boolean {
  return folder === 'test/output' || posix.basename(folder) === 'node_modules';
}
