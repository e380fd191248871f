import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The repository's folder. */
export const repository = join(import.meta.dirname, '../..');

/** Tests and benches write there, the copy that faults are planted in included. Git ignores it. */
const OUTPUT = 'test/output';

/** The files below the folders that match, as paths with forward slashes relative to `root`. Folders that are not there have none. */
export function filesIn(root: string, folders: readonly string[], matching: RegExp): string[] {
  return folders.flatMap((folder) => below(root, folder)).filter((path) => matching.test(path));
}

function below(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' || path === OUTPUT ? [] : below(root, path);
      return [path];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
