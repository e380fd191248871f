// How long each test file takes: the order of the files goes by it, so that no long one is left for the end.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Paths relative to the repository, with whole seconds. Files that are not named take less than `LEAST_SECONDS`. */
export type FileSeconds = Readonly<Record<string, number>>;

const LEAST_SECONDS = 2;
const root = join(import.meta.dirname, '../../..');
/** What every clone begins with. Copy the other file over it when the order no longer fits. */
const KEPT = join(root, 'test/support/runner/fileSeconds.json');
/** What the last runs on this machine took. */
const MEASURED = join(root, 'test/output/fileSeconds.json');

export function readFileSeconds(): FileSeconds {
  return existsSync(MEASURED) ? read(MEASURED) : read(KEPT);
}

export function writeFileSeconds(times: readonly { readonly file: string; readonly ms: number }[]): void {
  mkdirSync(dirname(MEASURED), { recursive: true });
  writeFileSync(MEASURED, `${JSON.stringify(withTimes(readFileSeconds(), times), undefined, 2)}\n`);
}

/** The files of this run with what they took now, and all others as they were. */
export function withTimes(
  before: FileSeconds,
  times: readonly { readonly file: string; readonly ms: number }[],
): FileSeconds {
  const measured = new Map(Object.entries(before));
  for (const { file, ms } of times) {
    const seconds = Math.round(ms / 1_000);
    if (seconds < LEAST_SECONDS) measured.delete(file);
    else measured.set(file, seconds);
  }
  return Object.fromEntries([...measured].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function read(file: string): FileSeconds {
  return JSON.parse(readFileSync(file, 'utf8')) as FileSeconds;
}
