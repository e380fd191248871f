// Runs the tests on other versions of Node. Each has a checkout and packages of its own, since addons are compiled for one version.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { outputOf, quiet, runNode, runProgram, StepFailed } from './child.mjs';
import { exists } from './files.mjs';
import { chooseNodes, environmentFor, resultLine } from './nodeReleases.mjs';
import { root } from './paths.mjs';

/** @typedef {import('./nodeReleases.mjs').NodeRelease} NodeRelease */

const nodes = join(root, 'test/output/nodes');
/** Kept from run to run: they know themselves when they are stale. */
const KEPT = ['node_modules', 'dist'];

/**
 * Goes on after a failure, so that one run tells of all versions. Resolves with the exit code.
 * @param {readonly string[]} args lines of Node such as `24`; the rest is Vitest's
 */
export async function runTestsOnNodes(args) {
  const platform = `${process.platform}-${process.arch}`;
  const choice = chooseNodes(args, { version: process.versions.node, platform });
  if (typeof choice === 'string') throw new StepFailed(choice, 2);
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new StepFailed('Call it by npm: npm run test:nodes.', 2);
  const runs = [];
  for (const release of choice.releases) runs.push(await testOn(release, npm, choice.testArgs));
  console.log(runs.map(resultLine).join('\n'));
  return runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1;
}

/**
 * The packages for Node have no npm, so that of the caller runs on it.
 * @param {NodeRelease} release
 * @param {string} npm its script
 * @param {readonly string[]} testArgs
 */
async function testOn(release, npm, testArgs) {
  const { version } = release;
  const nodeFolder = await fetchNode(release, npm);
  const checkout = join(nodes, version, 'checkout');
  copyTrackedFiles(checkout);
  console.error(`Testing on Node ${version} ...`);
  let output = '';
  const exitCode = await runProgram(join(nodeFolder, 'bin/node'), [npm, 'test', '--', ...testArgs], {
    cwd: checkout,
    env: environmentFor(nodeFolder, process.env),
    stdio: ['ignore', 'pipe', 2],
    onOutput(text) {
      process.stdout.write(text);
      output += text;
    },
  });
  return { version, output, exitCode };
}

/**
 * @param {NodeRelease} release
 * @param {string} npm
 */
async function fetchNode({ version, package: name }, npm) {
  const folder = join(nodes, version);
  const nodeFolder = join(folder, 'node_modules', name);
  if (exists(join(nodeFolder, 'bin/node'))) return nodeFolder;
  console.error(`Fetching Node ${version} ...`);
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const exitCode = await runNode([npm, ...install, `${name}@${version}`], { stdio: [...quiet] });
  if (exitCode !== 0) throw new StepFailed(`npm has no Node ${version} for this platform.`, exitCode);
  return nodeFolder;
}

/**
 * With the changes that are not committed yet. Times are copied too: packages and builds are judged by them.
 * @param {string} checkout
 */
function copyTrackedFiles(checkout) {
  mkdirSync(checkout, { recursive: true });
  for (const name of readdirSync(checkout)) {
    if (!KEPT.includes(name)) rmSync(join(checkout, name), { recursive: true });
  }
  const listed = outputOf('git', ['-C', root, 'ls-files', '-z']);
  if (listed === undefined) throw new StepFailed('git does not list the files of this checkout.', 1);
  for (const file of listed.split('\0').filter((name) => name !== '' && exists(join(root, name)))) {
    cpSync(join(root, file), join(checkout, file), { preserveTimestamps: true });
  }
}
