import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTSIDE_STORES, TESTED_BY } from './engines/coverage.ts';
import { type Files, findGaps } from './engines/findGaps.ts';
import { filesIn, repository } from './sourceFiles.ts';

describe('tests on both engines', () => {
  it('reach every file of hand-written SQL, and are elsewhere for a reason', () => {
    const paths = filesIn(repository, ['server/store', 'test/server'], /\.ts$/);
    const files: Files = new Map(paths.map((path) => [path, readFileSync(join(repository, path), 'utf8')]));
    expect(findGaps(files, { outsideStores: OUTSIDE_STORES, testedBy: TESTED_BY })).toEqual([]);
  });

  it('are missed in a tree that breaks each rule once', () => {
    const written = "import { type Kysely, sql } from 'kysely';";
    const files: Files = new Map([
      ['server/store/migrations/0001_notes.ts', written],
      ['server/store/notes/notes.ts', written],
      ['server/store/notes/noteList.ts', written],
      ['server/store/notes/untested.ts', written],
      ['server/store/notes/plain.ts', "import type { Kysely } from 'kysely';"],
      ['test/server/store/notes/notes.test.ts', "describeOnBothEngines('notes', tests);"],
      ['test/server/http/threads.test.ts', "describeOnBothEngines('threads', tests);"],
      ['test/server/http/twice.test.ts', "describeOnBothEngines('twice', tests);"],
      ['test/server/http/once.test.ts', "describe('once', tests);"],
    ]);
    const outsideStores = {
      'test/server/http/threads.test.ts': 'a reason',
      'test/server/http/once.test.ts': 'a reason',
    };
    const test = 'store/notes/notes.test.ts';
    expect(findGaps(files, { outsideStores, testedBy: { 'notes/noteList.ts': test, 'notes/plain.ts': test } })).toEqual(
      [
        'test/server/http/twice.test.ts: on both engines without a reason',
        'server/store/notes/untested.ts: SQL without a test on both engines',
        'test/server/http/once.test.ts: named, and not on both engines',
        'server/store/notes/plain.ts: named, and without SQL',
      ],
    );
  });
});
