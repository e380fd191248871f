// Finds the programs that the tests need, and installs them where that is possible and asked for.
import process from 'node:process';
import { runProgram, StepFailed } from './child.mjs';
import { machine, onPath } from './lookups.mjs';

/**
 * @typedef {import('./tools.mjs').Tool} Tool
 *
 * @typedef {object} Provided
 * @property {Record<string, string>} env where the tools are, for the tests
 * @property {Tool[]} missing
 */

/**
 * @param {readonly Tool[]} tools
 * @param {boolean} isCi
 * @returns {Promise<Provided>}
 */
async function provide(tools, isCi) {
  const absent = tools.filter((tool) => tool.find(machine) === undefined);
  const installable = absent.filter((tool) => isCi || tool.installedFor === 'everyone');
  if (installable.length > 0 && canInstall()) await aptGet(installable);
  const found = tools.map((tool) => ({ tool, env: tool.find(machine) }));
  return {
    env: Object.assign({}, ...found.map(({ env }) => env)),
    missing: found.filter(({ env }) => env === undefined).map(({ tool }) => tool),
  };
}

/**
 * Like `provide`, but ends the command when a required tool is missing.
 * @param {readonly Tool[]} tools
 * @param {(tool: Tool) => boolean} isRequired
 * @param {boolean} isCi
 */
export async function provideOrFail(tools, isRequired, isCi) {
  const provided = await provide(tools, isCi);
  const required = provided.missing.filter(isRequired);
  if (required.length > 0) throw new StepFailed(required.map(missingLine).join('\n'), 1);
  return provided;
}

/** @param {Tool} tool */
export function missingLine(tool) {
  return `${tool.name} is not on this machine: ${tool.advice}.`;
}

/** Debian and its derivatives, as root: there programs can be installed without asking. */
function canInstall() {
  return process.getuid?.() === 0 && onPath(['apt-get'], machine) !== undefined;
}

/** @param {readonly Tool[]} tools */
async function aptGet(tools) {
  console.error(`Installing ${tools.map((tool) => tool.name).join(', ')} with apt-get ...`);
  const install = ['install', '--yes', '--no-install-recommends'];
  const packages = tools.flatMap((tool) => tool.debianPackages);
  if ((await runAptGet([...install, ...packages])) === 0) return;
  // A fresh container has no package lists yet.
  if ((await runAptGet(['update'])) !== 0 || (await runAptGet([...install, ...packages])) === 0) return;
  const others = tools.flatMap((tool) => tool.otherPackages ?? tool.debianPackages);
  if (tools.some(({ otherPackages }) => otherPackages !== undefined)) await runAptGet([...install, ...others]);
}

/** @param {readonly string[]} args */
function runAptGet(args) {
  return runProgram('apt-get', ['-q', ...args], {
    stdio: ['ignore', 2, 2],
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}
