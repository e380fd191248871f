// Where a program may be found on this machine. Plain Node modules only: the set-up runs before anything is installed.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/**
 * What the finders ask of the machine; tests pass their own.
 * @typedef {object} Lookups
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} platform as in process.platform
 * @property {string} home the user's folder
 * @property {(path: string) => boolean} isProgram whether the path is a file that this user may run
 * @property {(path: string) => readonly string[]} listFolder names in a folder, none when there is no such folder
 */

/** @type {Lookups} */
export const machine = {
  env: process.env,
  platform: process.platform,
  home: homedir(),
  isProgram,
  listFolder,
};

/**
 * The first program of these names on the PATH.
 * @param {readonly string[]} names
 * @param {Lookups} lookups
 * @returns {string | undefined}
 */
export function onPath(names, lookups) {
  const folders = (lookups.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const files = lookups.platform === 'win32' ? names.map((name) => `${name}.exe`) : names;
  return firstProgram(
    files.flatMap((file) => folders.map((folder) => join(folder, file))),
    lookups,
  );
}

/**
 * @param {readonly string[]} paths
 * @param {Lookups} lookups
 * @returns {string | undefined}
 */
export function firstProgram(paths, lookups) {
  return paths.find((path) => lookups.isProgram(path));
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {string} path */
function listFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
