import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files of a folder and of those below it, as paths that begin with `folder`. None when there is no such folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesBelow(folder) {
  if (!exists(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** @param {string} path */
export function exists(path) {
  return modifiedMs(path) !== undefined;
}

/**
 * When a file or folder was last written, or nothing when it is not there.
 * @param {string} path
 */
export function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
