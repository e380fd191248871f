// Makes sure that packages are installed, native addons are compiled and the product is built, and does nothing when they are.
import { lstatSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { stampAgain } from './buildStamp.mjs';
import { quiet, runNode, runProgram, StepFailed } from './child.mjs';
import { exists, filesBelow, modifiedMs } from './files.mjs';
import { builtFrom, builtWith, dist, root } from './paths.mjs';
import { fingerprint, isInstallStale } from './staleness.mjs';

const packages = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
/** npm writes it last of all, so an installation that was cut short has none. */
const installRecord = join(packages, '.package-lock.json');
const nodeRecord = join(packages, '.installed-for');
/** What compiling the packages' addons makes last. */
const addon = join(packages, 'better-sqlite3/build/Release/better_sqlite3.node');
const buildRecord = join(dist, '.built-from');

/** The packages without their addons, which take two minutes to compile where npm finds none: `ensureAddons` goes on beside other work. */
export async function ensurePackages() {
  const runningOn = `${process.platform}-${process.arch}-${process.versions.modules}`;
  const installTimeMs = modifiedMs(installRecord);
  const lockTimeMs = statSync(lockFile).mtimeMs;
  if (!isInstallStale({ lockTimeMs, installTimeMs, installedFor: readRecord(nodeRecord), runningOn })) return;
  refuseLink(packages);
  console.error('Installing packages ...');
  // Under NODE_ENV=production npm would leave out what the build needs.
  const exitCode = await npm(['ci', '--include=dev', '--ignore-scripts']);
  if (exitCode !== 0) throw new StepFailed('npm ci failed.', exitCode);
  writeFileSync(nodeRecord, runningOn);
}

export async function ensureAddons() {
  if (exists(addon)) return;
  console.error('Compiling native addons ...');
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const exitCode = await npm(['rebuild', ...Object.keys(allowScripts)]);
  if (exitCode !== 0) throw new StepFailed('npm rebuild failed.', exitCode);
}

/** What a command needs that runs the product. */
export async function ensureRunnable() {
  await allOf([ensureBuilt(), ensureAddons()]);
}

/**
 * Waits for all of them, also when one fails: a step that goes on after its command has ended would write into the next one's output.
 * @param {readonly Promise<unknown>[]} steps
 */
async function allOf(steps) {
  for (const settled of await Promise.allSettled(steps)) {
    if (settled.status === 'rejected') throw settled.reason;
  }
}

/**
 * `npm ci` begins by emptying the folder: through a link it would empty somebody else's.
 * @param {string} folder
 */
export function refuseLink(folder) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new StepFailed(
    `${folder} is a link to ${linkTarget(folder)}, and its packages are not those of package-lock.json.\n` +
      'Installing would empty the folder that it leads to. Remove the link, or run `npm ci` where it leads to.',
    1,
  );
}

/** @param {string} link */
function linkTarget(link) {
  try {
    return realpathSync(link);
  } catch {
    return 'nothing'; // what it led to is gone
  }
}

export async function ensureBuilt() {
  if (isBuildStale()) await buildAnew();
  else stampAgain();
}

export async function buildAnew() {
  // Taken before the build: what is written during it makes the next command build again.
  const sources = sourceFingerprint();
  rmSync(buildRecord, { force: true });
  await build();
  writeFileSync(buildRecord, sources);
}

function isBuildStale() {
  return readRecord(buildRecord) !== sourceFingerprint();
}

function sourceFingerprint() {
  const paths = [
    ...builtFrom.flatMap((folder) => filesBelow(join(root, folder))),
    ...builtWith.map((file) => join(root, file)).filter(exists),
  ];
  return fingerprint(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(path);
      return { path: relative(root, path), size, timeMs: mtimeMs };
    }),
  );
}

/** @param {string} path */
function readRecord(path) {
  return exists(path) ? readFileSync(path, 'utf8') : undefined;
}

/**
 * The npm that called us, else the one on the PATH.
 * @param {readonly string[]} args
 */
function npm(args) {
  const script = process.env.npm_execpath;
  return script === undefined
    ? runProgram('npm', args, { stdio: [...quiet] })
    : runNode([script, ...args], { stdio: [...quiet] });
}
