// Runs one part of the tests on the copy, as `npm test` does on the checkout.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { needsProduct, type TestPart } from './mutant.ts';
import { type PartRun, readReport } from './verdict.ts';
import { copyFolder, mutantsFolder } from './workingCopy.ts';

const reportFile = join(mutantsFolder, 'report.json');
const buildLog = join(mutantsFolder, 'build.log');
const testLog = join(mutantsFolder, 'tests.log');

const ENSURE_BUILT = `const { ensureBuilt } = await import('./server/setup/ensure.mjs'); await ensureBuilt();`;
const BUILD = ['--input-type=module', '--eval', ENSURE_BUILT];
const TESTS = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', '--reporter=json'];
/** Beyond it a run hangs. */
const RUN_LIMIT_MS = 20 * 60_000;
/** What a run may take to end once it is told to. */
const END_LIMIT_MS = 10_000;

/** `env` says where the programs are that the tests need. A product that is needed is built from the copy as it is. */
export async function runPart(part: TestPart, env: Readonly<Record<string, string>>): Promise<PartRun> {
  if (needsProduct(part) && (await runLimited(BUILD, env, buildLog)) !== 0) {
    return { kind: 'no-result', reason: `the product could not be built, as ${buildLog} says` };
  }
  await rm(reportFile, { force: true });
  const startMs = performance.now();
  const exitCode = await runLimited([...TESTS, `--outputFile=${reportFile}`, part.path], env, testLog);
  const seconds = (performance.now() - startMs) / 1000;
  if (exitCode === undefined) return { kind: 'no-result', reason: 'the tests did not end' };
  if (!existsSync(reportFile)) return { kind: 'no-result', reason: `the tests could not be run, as ${testLog} says` };
  return { kind: 'ended', result: readReport(await readFile(reportFile, 'utf8')), seconds };
}

/** Resolves with the exit code, undefined for a program that had to be ended. */
async function runLimited(
  script: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Promise<number | undefined> {
  const log = openSync(logFile, 'w');
  // A group of its own: what the tests have started ends with them.
  const child = spawn(process.execPath, script, {
    cwd: copyFolder,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = (): void => endGroup(child, 'SIGTERM');
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    stop();
  }, RUN_LIMIT_MS);
  const tooLate = setTimeout(() => endGroup(child, 'SIGKILL'), RUN_LIMIT_MS + END_LIMIT_MS);
  try {
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return isLate ? undefined : (exitCode ?? undefined);
  } finally {
    clearTimeout(late);
    clearTimeout(tooLate);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
