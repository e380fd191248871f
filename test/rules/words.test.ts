import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, repository } from './sourceFiles.ts';
import { findLogOpenings, findOpenings, type Opening } from './words/findOpenings.ts';

const CODE = ['pages', 'server', 'shared', 'simulator', 'test', 'workers'];

function openingsIn(find: (path: string, source: string) => Opening[]): string[] {
  const files = filesIn(repository, CODE, /\.(ts|tsx|mjs)$/).filter((file) => !file.startsWith('test/rules/fixtures/'));
  return files.flatMap((file) =>
    find(file, readFileSync(join(repository, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
  );
}

describe('a comment is a sentence with a subject and a verb, or a noun phrase that names the thing', () => {
  it('and does not open with a word that leaves out what it is about', () => {
    expect(openingsIn(findOpenings)).toEqual([]);
  });

  // The samples are texts of comments, each with the number of offences in it.
  it.each([
    ['// Of the last attempt.', 1],
    ['/** As `provide`, but ends the command. */', 1],
    ['/**\n * Those that wait.\n */', 1],
    ['const a = 1; // So many are there.', 1],
    ['// The tables are\n// of one day.', 0],
    ['// One thing.\n\n// That of another.', 1],
    ['// Of course it may be gone.', 0],
    ['// As long as the socket is open, the line is kept.', 0],
    ['// Office hours.', 0],
  ])('as in %s', (source, count) => {
    expect(findOpenings('a.ts', source)).toHaveLength(count);
  });
});

describe('a log line', () => {
  it('opens as a comment does', () => {
    expect(openingsIn(findLogOpenings)).toEqual([]);
  });

  it.each([
    ["log.warn({ id }, 'of the last one')", 1],
    ['log.info(`those of $' + '{device}`)', 1],
    ["log.info('listening')", 0],
    ["table.find('of the last one')", 0],
  ])('as in %s', (source, count) => {
    expect(findLogOpenings('a.ts', source)).toHaveLength(count);
  });
});
