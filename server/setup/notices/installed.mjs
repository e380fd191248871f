// The packages that are installed, and which of them need which others.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exists } from '../files.mjs';
import { readManifest } from './manifest.mjs';

/** @typedef {import('./manifest.mjs').Manifest & { readonly folder: string }} InstalledPackage */

/**
 * @param {string} folder
 * @returns {InstalledPackage}
 */
export function readPackage(folder) {
  return { folder, ...readManifest(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))) };
}

/**
 * The folder of the package that a file in `from` gets by this name, as Node looks for it.
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
export function findPackage(from, name) {
  const folder = join(from, 'node_modules', name);
  if (exists(join(folder, 'package.json'))) return folder;
  const parent = dirname(from);
  return parent === from ? undefined : findPackage(parent, name);
}

/**
 * The packages that a file in `from` gets by these names, and all that they need, as far as this platform has it.
 * @param {string} from
 * @param {readonly string[]} names
 * @returns {InstalledPackage[]}
 */
export function closureOf(from, names) {
  const folders = new Set(names.map((name) => needed(from, name)));
  const packages = [];
  // A set goes on with what is added to it meanwhile.
  for (const folder of folders) {
    const found = readPackage(folder);
    packages.push(found);
    for (const name of found.dependencies) folders.add(needed(folder, name));
    for (const name of found.optional) {
      const optional = findPackage(folder, name);
      if (optional !== undefined) folders.add(optional);
    }
  }
  return packages;
}

/**
 * @param {string} from
 * @param {string} name
 */
function needed(from, name) {
  const folder = findPackage(from, name);
  if (folder === undefined) throw new Error(`${name}, which ${from} needs, is not installed`);
  return folder;
}
