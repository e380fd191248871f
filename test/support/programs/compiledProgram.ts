// Programs that tests start as processes of their own, compiled once for all tests of a worker: a loader that compiles them anew takes
// some seconds of the processor at each start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { programs, root } from '../../../server/setup/paths.mjs';
import { atWorkerEnd } from '../runner/workerEnd.ts';

let compiled: Promise<string> | undefined;

/** The main module of the gateway. */
export const GATEWAY = join(root, 'server/main.ts');

/** Gives the JavaScript of the gateway, or of a test's `*Program.ts`. It stays inside the repository, where its packages are found. */
export async function compiledProgram(source: string): Promise<string> {
  compiled ??= compile();
  return join(await compiled, relative(root, source)).replace(/\.ts$/, '.js');
}

async function compile(): Promise<string> {
  const folder = join(root, 'test/output', `programs-${process.pid}`);
  atWorkerEnd(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(import.meta.dirname, 'tsconfig.json');
  const compiler = spawn(process.execPath, [programs.tsc, '-p', project, '--outDir', folder], { stdio: 'inherit' });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new Error(`the programs of tests could not be compiled (${code})`);
  return folder;
}
