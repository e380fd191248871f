// Decides whether packages must be installed and whether the product must be built.
import { createHash } from 'node:crypto';

/**
 * @typedef {object} Installation
 * @property {number} lockTimeMs when package-lock.json changed
 * @property {number | undefined} installTimeMs when npm last finished an installation, if it ever did
 * @property {string | undefined} installedFor the Node that the installation was made with, if that is known
 * @property {string} runningOn this Node
 */

/**
 * Native modules fit one version of Node, so an installation made with another is stale like one older than the lock file.
 * @param {Installation} installation
 */
export function isInstallStale({ lockTimeMs, installTimeMs, installedFor, runningOn }) {
  if (installTimeMs === undefined || installTimeMs < lockTimeMs) return true;
  return installedFor !== undefined && installedFor !== runningOn;
}

/** @typedef {{ readonly path: string, readonly size: number, readonly timeMs: number }} SourceFile */

/**
 * Changes when a file is added, removed, renamed or written, whatever order they are listed in.
 * @param {readonly SourceFile[]} files
 */
export function fingerprint(files) {
  const lines = files.map(({ path, size, timeMs }) => JSON.stringify([path, size, timeMs])).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
