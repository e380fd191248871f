// Programs that tests start as processes of their own, compiled once for each change of the sources: a loader that compiles them anew
// takes some seconds of the processor at each start.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { filesBelow } from '../../../server/setup/files.mjs';
import { programs, root } from '../../../server/setup/paths.mjs';

let compiled: Promise<string> | undefined;

/** The main module of the gateway. */
export const GATEWAY = join(root, 'server/main.ts');

/** Gives the JavaScript of the gateway, or of a test's `*Program.ts`. It lies inside the repository, where its packages are found. */
export async function compiledProgram(source: string): Promise<string> {
  compiled ??= compile();
  return join(await compiled, relative(root, source)).replace(/\.ts$/, '.js');
}

const OUTPUT = join(root, 'test/output');
const SOURCES = ['server', 'shared', 'simulator', 'test/server', 'test/support'];
/** A run that has begun before the last change still uses what it has compiled. */
const KEPT_MS = 3_600_000;

async function compile(): Promise<string> {
  const folder = join(OUTPUT, `programs-${stateOfSources()}`);
  if (existsSync(folder)) return folder;
  await mkdir(OUTPUT, { recursive: true });
  const made = `${folder}-${process.pid}`;
  const project = join(import.meta.dirname, 'tsconfig.json');
  const compiler = spawn(process.execPath, [programs.tsc, '-p', project, '--outDir', made], { stdio: 'inherit' });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new Error(`the programs of tests could not be compiled (${code})`);
  try {
    await rename(made, folder);
  } catch (error) {
    // Another worker was first.
    if (!existsSync(folder)) throw error;
    await rm(made, { recursive: true });
  }
  await removeOld();
  return folder;
}

function stateOfSources(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) => filesBelow(join(root, folder)));
  for (const file of files.filter((path) => path.endsWith('.ts'))) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOld(): Promise<void> {
  const compiledBefore = readdirSync(OUTPUT).filter((name) => name.startsWith('programs-'));
  for (const folder of compiledBefore.map((name) => join(OUTPUT, name))) {
    // Another worker may remove it at the same time.
    const madeAtMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAtMs > KEPT_MS) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
