// What a build was made from: the commit that was checked out and its date. Told to the gateway by a file beside its code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { outputOf } from './child.mjs';
import { buildStamp, builtFrom, builtWith, root } from './paths.mjs';

/**
 * @typedef {object} Stamp
 * @property {string} commit '' without git
 * @property {string} date of the commit, without git of the build; ISO 8601, UTC
 * @property {boolean} modified whether what the build is made from differed from the commit
 */

/**
 * What git says, undefined where it is not there or knows nothing of this folder.
 * @typedef {(args: readonly string[]) => string | undefined} Git
 */

/**
 * @param {Git} git
 * @param {Date} now
 * @returns {Stamp}
 */
export function stampOf(git, now) {
  const [commit = '', date = ''] = git(['log', '-1', '--format=%H %cI'])?.trim().split(' ') ?? [];
  // Unpacked into a folder of another repository, the product is none of that one's commits.
  const isTop = git(['rev-parse', '--show-prefix'])?.trim() === '';
  if (!isTop || date === '') return { commit: '', date: now.toISOString(), modified: false };
  const changes = git(['status', '--porcelain', '--', ...builtFrom, ...builtWith]) ?? '';
  return { commit, date: new Date(date).toISOString(), modified: changes.trim() !== '' };
}

/** Writes the stamp of a new build. */
export function stampBuild() {
  writeFileSync(buildStamp, textOf(stampOf(askGit, new Date())));
}

/**
 * A commit of what was built already makes no new build, since the code is the same, but a new stamp. Without git the stamp stays:
 * it may be of a machine that had it.
 * @param {Git} [git]
 * @param {string} [file]
 */
export function stampAgain(git = askGit, file = buildStamp) {
  const stamp = stampOf(git, new Date());
  if (stamp.commit === '' || (existsSync(file) && readFileSync(file, 'utf8') === textOf(stamp))) return;
  try {
    writeFileSync(file, textOf(stamp));
  } catch (error) {
    // A service may run under a user who must not write there; it starts all the same.
    console.error(`The build keeps the stamp that it has: ${error}`);
  }
}

/** @param {readonly string[]} args */
function askGit(args) {
  // It takes no lock: somebody may be committing meanwhile.
  return outputOf('git', ['--no-optional-locks', '-C', root, ...args]);
}

/** @param {Stamp} stamp */
function textOf(stamp) {
  return `${JSON.stringify(stamp)}\n`;
}
