// Which packages end in the scripts, styles and files of the pages: Vite knows when it builds them.
// package.json is no such list: it names packages that no page loads, and MapLibre's one file has seventeen others in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exists } from '../files.mjs';
import { bundled, root } from '../paths.mjs';
import { findPackage } from './installed.mjs';

/** Code that the bundler adds by itself, by how its modules' names begin, and the package that it comes with. */
const ADDED = [
  { begins: '\0vite/', name: 'vite' },
  { begins: '\0rolldown/', name: 'rolldown' },
  // The compiler's helpers lie within the bundler, under its license.
  { begins: '\0@oxc-project+runtime', name: 'rolldown' },
];

/** Packages of which code may be shipped without being imported. */
export const ADDED_BY = [...new Set(ADDED.map(({ name }) => name))];

/**
 * The folder of the package that a module or a file lies in, undefined for one of ours.
 * @param {string} id of a module, or the path of a file
 * @returns {string | undefined}
 */
export function packageFolderOf(id) {
  const added = ADDED.find(({ begins }) => id.startsWith(begins));
  if (added !== undefined) return join(root, 'node_modules', added.name);
  // Greedy: of a package within a package it is the inner one.
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+)/.exec(id)?.[1];
}

/**
 * The folders of the packages that a package's file was put together from before it was published, as its source map tells.
 * @param {string} file
 * @returns {readonly string[]}
 */
function packagesWithin(file) {
  const folder = packageFolderOf(file);
  // Names of modules may begin with a NUL and end with a query.
  const map = `${file.replace(/^\0|[?].*$/g, '')}.map`;
  if (folder === undefined || !exists(map)) return [];
  /** @type {{ readonly sources?: readonly (string | null)[] }} */
  const { sources = [] } = JSON.parse(readFileSync(map, 'utf8'));
  const names = sources.map((source) => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(source ?? '')?.[1]);
  return [...new Set(names)].flatMap((name) => (name === undefined ? [] : (findPackage(folder, name) ?? [])));
}

/**
 * A plugin that writes down where the packages lie that a build ships, for the notices. Workers are built apart: they take the
 * same plugin, and what they have is in the same list.
 * @param {string} name of the list
 * @param {string} [folder] of the lists
 * @returns {import('vite').Plugin}
 */
export function bundledPackages(name, folder = bundled) {
  /** @type {Set<string>} */
  const files = new Set();
  let base = root;
  return {
    name: 'bundled-packages',
    apply: 'build',
    configResolved(config) {
      base = config.root;
    },
    generateBundle(_options, bundle) {
      const parts = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((path) => resolve(base, path)),
      );
      // A style leaves no module behind in a script.
      const styles = [...this.getModuleIds()].filter((id) => /\.css($|\?)/.test(id));
      for (const id of [...parts, ...styles]) files.add(id);
      const folders = new Set([...files].flatMap((file) => [packageFolderOf(file) ?? [], packagesWithin(file)].flat()));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.json`), JSON.stringify([...folders].sort()));
    },
  };
}
