// Programs that a command starts. They end when the command is told to end, and their exit code becomes the command's.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { root } from './paths.mjs';

/** @typedef {{ env?: Readonly<Record<string, string>>, stdio?: import('node:child_process').StdioOptions }} ChildOptions */

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
export function runProgram(program, args, options = {}) {
  return start(program, args, options).ended;
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
  return first;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ChildOptions} options
 */
function start(program, args, { env = {}, stdio = 'inherit' }) {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio });
  const forwarders = FORWARDED.map((signal) => ({ signal, forward: () => forward(child, signal) }));
  for (const { signal, forward } of forwarders) process.on(signal, forward);
  const watch = whenNpmIsGone(() => child.kill('SIGTERM'));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  }).finally(() => {
    clearInterval(watch);
    for (const { signal, forward } of forwarders) process.off(signal, forward);
  });
  return { ended: /** @type {Promise<number>} */ (ended), stop: () => child.kill('SIGTERM') };
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
