// Finds the packages that the built gateway imports. It isn't bundled: it finds them beside it, as npm has installed them.
import { readFileSync } from 'node:fs';
import { filesBelow } from '../files.mjs';

/** Imports as the compiler writes them: one a line, or several lines that end with `from`. Imports within code are calls. */
const IMPORT = /(?:\bfrom|^\s*import|\bimport\()\s*(['"])([^'"\n]+)\1/gm;

/**
 * The `known` packages that compiled code imports. Other matches are words in texts: if they were imports, the gateway could not
 * start.
 * @param {string} code
 * @param {readonly string[]} known
 * @returns {readonly string[]}
 */
export function packagesImportedBy(code, known) {
  const specifiers = [...code.matchAll(IMPORT)].map((match) => match[2] ?? '');
  return known.filter((name) => specifiers.some((one) => one === name || one.startsWith(`${name}/`)));
}

/**
 * The `known` packages that the files of a folder import.
 * @param {string} folder
 * @param {readonly string[]} known
 */
export function packagesImportedBelow(folder, known) {
  const files = filesBelow(folder).filter((path) => path.endsWith('.js'));
  return [...new Set(files.flatMap((path) => packagesImportedBy(readFileSync(path, 'utf8'), known)))];
}
