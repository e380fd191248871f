import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn, repository } from './sourceFiles.ts';

const MOST_LINES = 500;
/** Longer files, each with the reason why it is one subject all the same. */
const LONGER: Readonly<Record<string, string>> = {};

const MOST_FILES = 25;

const SOURCE = /(?<!\.d)\.(ts|tsx|mjs|css)$/;

it('no source file is longer than a reader can hold, unless it says why', () => {
  const long = lengths(['pages', 'shared', 'workers', 'server', 'simulator', 'test']).filter(
    ({ lines }) => lines > MOST_LINES,
  );
  expect(long.filter(({ path }) => LONGER[path] === undefined)).toEqual([]);
});

it('no folder has more files than a reader can survey', () => {
  const counts = new Map<string, number>();
  for (const path of filesIn(repository, ['pages', 'shared', 'workers', 'server', 'simulator', 'test'], /./)) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

function lengths(folders: readonly string[]): { path: string; lines: number }[] {
  return filesIn(repository, folders, SOURCE).map((path) => ({
    path,
    lines: readFileSync(join(repository, path), 'utf8').split('\n').length - 1,
  }));
}
