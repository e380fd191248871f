import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultTable } from '../mutants/faultTable.ts';
import { plant } from '../mutants/mutant.ts';
import { MUTANTS } from '../mutants/mutants.ts';
import { filesIn, repository } from './sourceFiles.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

describe('the planted faults', () => {
  it('each fit one place of the code as it is', () => {
    const reasons = MUTANTS.map((mutant) => plant(mutant, read(mutant.file))).flatMap((planted) =>
      planted.ok ? [] : [planted.reason],
    );
    expect(reasons).toEqual([]);
  });

  it('each change something, under a name of its own', () => {
    expect(MUTANTS.filter(({ text, replacement }) => text === replacement)).toEqual([]);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it('are each looked for by tests that there are, in the folder of their layer', () => {
    const tests = filesIn(repository, ['test'], /\.test\.tsx?$/);
    const lost = MUTANTS.filter(
      ({ part }) => !part.path.startsWith(`test/${part.layer}/`) || !tests.some((test) => test.startsWith(part.path)),
    );
    expect(lost.map(({ part }) => part.path)).toEqual([]);
  });

  it('are those of docs/testing.md', () => {
    expect(read('docs/testing.md')).toContain(`\n${faultTable(MUTANTS)}\n`);
  });
});
