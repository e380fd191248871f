// What is shipped inside packages and belongs to others than their authors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./installed.mjs').InstalledPackage} InstalledPackage */

/**
 * @typedef {object} Material
 * @property {string} name
 * @property {string} within the package that it is shipped in
 * @property {string} license
 * @property {string} holder
 * @property {string} source
 * @property {{ readonly file: string, readonly pattern: RegExp }} [version] where the package says which version it has
 */

/** @type {readonly Material[]} */
const MATERIALS = [
  {
    name: 'SQLite',
    within: 'better-sqlite3',
    license: 'blessing',
    holder: '',
    source: 'https://sqlite.org',
    version: { file: 'deps/sqlite3/sqlite3.h', pattern: /#define SQLITE_VERSION\s+"([\d.]+)"/ },
  },
  {
    name: 'Natural Earth',
    within: 'world-atlas',
    license: 'LicenseRef-public-domain',
    holder: '',
    source: 'https://www.naturalearthdata.com',
    version: { file: 'README.md', pattern: /Natural Earth.*version ([\d.]+\d)/ },
  },
  {
    name: 'Material Icons',
    within: '@mui/icons-material',
    license: 'Apache-2.0',
    holder: 'Google LLC',
    source: 'https://github.com/google/material-design-icons',
  },
];

/**
 * The materials of the packages, each with the version that its package has.
 * @param {readonly InstalledPackage[]} packages
 * @returns {readonly (Material & { readonly package: InstalledPackage, readonly number: string })[]}
 */
export function materialsIn(packages) {
  return packages.flatMap((one) =>
    MATERIALS.filter(({ within }) => within === one.name).map((material) => ({
      ...material,
      package: one,
      number: versionOf(material, one),
    })),
  );
}

/**
 * @param {Material} material
 * @param {InstalledPackage} one
 */
function versionOf({ name, version }, one) {
  if (version === undefined) return '';
  const found = version.pattern.exec(readFileSync(join(one.folder, version.file), 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${one.name} no longer says which version of ${name} it has`);
  return found;
}
