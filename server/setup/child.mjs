// Programs that a command starts. They end when the command is told to end, and their exit code becomes the command's.
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { root } from './paths.mjs';

/**
 * @typedef {object} ChildOptions
 * @property {Readonly<Record<string, string | undefined>>} [env] added to that of the command; undefined takes a variable away
 * @property {import('node:child_process').StdioOptions} [stdio]
 * @property {string} [cwd] the repository's folder when left out
 * @property {(text: string) => void} [onOutput] hears standard output where `stdio` makes it a pipe
 */
/**
 * How a child ended. `isStopped`: it was told to, by a signal that we passed on or because npm is gone.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, isStopped: boolean }} ChildEnd
 */

/** Output that is not the command's result goes to standard error, where nobody reads the `Ready:` line from. */
export const quiet = /** @type {const} */ (['ignore', 2, 2]);

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A step of a command failed, and said why on standard error. */
export class StepFailed extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode
   */
  constructor(message, exitCode) {
    super(message);
    this.name = 'StepFailed';
    this.exitCode = exitCode;
  }
}

/**
 * Runs a script with this Node; resolves with its exit code.
 * @param {readonly string[]} script the file and its arguments
 * @param {ChildOptions} [options]
 */
export function runNode(script, options) {
  return runProgram(process.execPath, script, options);
}

/**
 * Runs a program until it ends; resolves with its exit code, or 128 and the signal's number as a shell does.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Promise<number>}
 */
export async function runProgram(program, args, options = {}) {
  return exitCodeOf(await start(program, args, options).ended);
}

/**
 * Runs a script with this Node; resolves with how it ended.
 * @param {readonly string[]} script the file and its arguments
 * @param {ChildOptions} [options]
 */
export function watchNode(script, options = {}) {
  return start(process.execPath, script, options).ended;
}

/**
 * What a program prints that answers at once; undefined when it is not there or fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {string | undefined}
 */
export function outputOf(program, args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : undefined;
}

/** @param {Pick<ChildEnd, 'code' | 'signal'>} end */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Waits; a signal that would stop a child cuts it short. Resolves with whether it did.
 * @param {number} ms
 * @returns {Promise<boolean>}
 */
export function waitUnlessStopped(ms) {
  return new Promise((resolve) => {
    /** @param {boolean} isStopped */
    const end = (isStopped) => {
      clearTimeout(timer);
      clearInterval(watch);
      for (const signal of FORWARDED) process.off(signal, stop);
      resolve(isStopped);
    };
    const stop = () => end(true);
    const timer = setTimeout(() => end(false), ms);
    const watch = whenNpmIsGone(stop);
    for (const signal of FORWARDED) process.on(signal, stop);
  });
}

/**
 * Runs scripts side by side. When one ends, so do the others; resolves with the exit code of the first.
 * @param {readonly { script: readonly string[], env?: Readonly<Record<string, string>> }[]} scripts
 */
export async function runTogether(scripts) {
  const children = scripts.map(({ script, env = {} }) => start(process.execPath, script, { env }));
  const first = await Promise.race(children.map((child) => child.ended));
  for (const child of children) child.stop();
  await Promise.all(children.map((child) => child.ended));
  return exitCodeOf(first);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ChildOptions} options
 */
function start(program, args, { env = {}, stdio = 'inherit', cwd = root, onOutput }) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio });
  if (onOutput !== undefined) child.stdout?.setEncoding('utf8').on('data', onOutput);
  let isStopped = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    isStopped = true;
    forward(child, signal);
  };
  const forwarders = FORWARDED.map((signal) => ({ signal, forward: () => stop(signal) }));
  for (const { signal, forward } of forwarders) process.on(signal, forward);
  const watch = whenNpmIsGone(() => stop('SIGTERM'));
  /** @type {Promise<ChildEnd>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    // The last of the output may come after the exit.
    child.once(onOutput === undefined ? 'exit' : 'close', (code, signal) => resolve({ code, signal, isStopped }));
  });
  const cleaned = ended.finally(() => {
    clearInterval(watch);
    for (const { signal, forward } of forwarders) process.off(signal, forward);
  });
  return { ended: cleaned, stop: () => child.kill('SIGTERM') };
}

/**
 * npm passes a signal on to the shell that it runs a script with, and that shell ends without telling us. What tells is
 * that we are left with another parent.
 * @param {() => void} stop
 */
function whenNpmIsGone(stop) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, NPM_WATCH_MS).unref();
}

const NPM_WATCH_MS = 250;

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function forward(child, signal) {
  // A terminal sends Ctrl-C to every program in front of it, so the child has it; a second one would tell it to hurry.
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}
