// A copy of the code that faults are planted in, so that the checkout never has one.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { outputOf } from '../../server/setup/child.mjs';
import { root } from '../../server/setup/paths.mjs';

/** Everything that this program writes. */
export const mutantsFolder = join(root, 'test/output/mutants');
export const copyFolder = join(mutantsFolder, 'copy');

/** What is in the copy beside the files that git knows. The build of an earlier run serves this one if it was made from the same. */
const OTHERS = ['dist', 'node_modules', 'test/output'];

/** Brings the copy to what the checkout is now: the files that git knows. What an earlier run has copied or left behind counts too. */
export function makeCopy(): void {
  const files = trackedFiles().filter((file) => existsSync(join(root, file)));
  mkdirSync(copyFolder, { recursive: true });
  removeOthers(new Set(files), '');
  for (const file of files) copyChanged(join(root, file), join(copyFolder, file));
  const packages = join(copyFolder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(join(root, 'node_modules'), packages, 'junction');
}

function removeOthers(files: ReadonlySet<string>, folder: string): void {
  for (const entry of readdirSync(join(copyFolder, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (OTHERS.includes(path) || files.has(path)) continue;
    if (entry.isDirectory()) removeOthers(files, path);
    else rmSync(join(copyFolder, path));
  }
}

function copyChanged(from: string, to: string): void {
  const { size, mtimeMs } = statSync(from);
  const copied = statSync(to, { throwIfNoEntry: false });
  if (copied?.size === size && copied.mtimeMs === wholeSeconds(mtimeMs)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  setTime(to, mtimeMs);
}

function trackedFiles(): string[] {
  const listed = outputOf('git', ['-C', root, 'ls-files', '-z']);
  if (listed === undefined) throw new Error('the files to copy are those that git knows, and git does not answer');
  return listed.split('\0').filter((file) => file !== '');
}

/** A file as it is in the checkout. */
export function readOriginal(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Runs while the copy's file has another content, and puts it back whatever happens. */
export async function withChanged<T>(file: string, source: string, run: () => Promise<T>): Promise<T> {
  const path = join(copyFolder, file);
  const original = readFileSync(path);
  const { mtimeMs } = statSync(path);
  writeFileSync(path, source);
  try {
    return await run();
  } finally {
    writeFileSync(path, original);
    setTime(path, mtimeMs);
  }
}

function setTime(path: string, timeMs: number): void {
  const seconds = wholeSeconds(timeMs) / 1000;
  utimesSync(path, seconds, seconds);
}

/** Every file system keeps them: a file that was put back looks as it did when the product was built. */
function wholeSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000;
}
