import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLimits } from './limits/findLimits.ts';
import { limitsDocument, limitsIn } from './limits/limitsDocument.ts';
import { maximumText } from './limits/maximumText.ts';
import { SECTIONS, SETTINGS_ALONE, sectionOf } from './limits/sections.ts';
import { filesIn, repository } from './sourceFiles.ts';

const limits = findLimits(repository);

describe('the limits', () => {
  it('are those of docs/limits.md, which `npm run fix` writes', () => {
    expect(readFileSync(join(repository, 'docs/limits.md'), 'utf8')).toBe(limitsDocument(limits));
  });

  it('are found, each under a name of its own', () => {
    const names = limits.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(290);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have comments that say what each bounds, and what happens at it', () => {
    expect(
      limits.filter(({ text }) => !/^[A-Z][^.]+.*\. .+\.$/.test(text)).map(({ name, text }) => [name, text]),
    ).toEqual([]);
  });

  it('are each reached by a test', () => {
    expect(limits.filter(({ name }) => sectionOf(name) === undefined)).toEqual([]);
    const names = limits.map(({ name }) => name);
    expect(SETTINGS_ALONE.filter((name) => !names.includes(name))).toEqual([]);
    const tests = filesIn(repository, ['test/server/limits'], /\.test\.ts$/).map((file) =>
      readFileSync(join(repository, file), 'utf8'),
    );
    const described = tests.flatMap((text) =>
      [...text.matchAll(/^describeLimits\('([^']+)'/gm)].map(([, section]) => section),
    );
    expect(described.sort()).toEqual(Object.keys(SECTIONS).sort());
  });
});

describe('the document of limits', () => {
  it('has constants, groups of them and limits of settings, with what their comments say', () => {
    const root = treeOf({
      'server/a.ts': `import { MOST } from './b.ts';
/**
 * Bytes that wait.
 * Further ones are dropped.
 */
export const WAITING: Limit = { name: 'a.waiting-bytes.all', max: 4 * 1024 };
export const PAIR: Pair = {
  /** One | of two. It ends. */
  one: { name: 'a.one', max: MOST },
};
/** Set elsewhere. It ends. */
const SET: Pick<Limit, 'name'> = { name: 'b.set' };
`,
      'server/b.ts': 'export const MOST = HALF + HALF;\nconst HALF = 1_000;\n',
    });
    const document = limitsDocument(findLimits(root));
    expect(document.split('\n').filter((line) => /^(##|\| `)/.test(line))).toEqual([
      '## a',
      '| `a.one` | 2,000 | One \\| of two. It ends. |',
      '| `a.waiting-bytes.all` | 4 KiB | Bytes that wait. Further ones are dropped. |',
      '## b',
      '| `b.set` | a setting | Set elsewhere. It ends. |',
    ]);
    expect(limitsIn(document)).toHaveLength(3);
  });

  it.each([
    ['inside a function', "function make() {\n  return { name: 'a.b', max: 1 };\n}\n"],
    ['with a maximum that no constant is', "const A: Limit = { name: 'a.b', max: most() };\n"],
  ])('leaves none out: one %s is a fault', (_where, source) => {
    expect(() => findLimits(treeOf({ 'server/a.ts': source }))).toThrow('server/a.ts: ');
  });

  it.each([
    ['a.bytes', 1_023, '1,023 bytes'],
    ['a.bytes.b', 1_536, '1,536 bytes'],
    ['a.b-bytes', 8 * 1024 ** 3, '8 GiB'],
    ['a.memory', 1024, '1 KiB'],
    ['a.memory-mb.b', 320, '320 MB'],
    ['a.b-ms.c', 1_500, '1,500 ms'],
    ['a.b-ms.c', 90_000, '90 s'],
    ['a.wait', 120_000, '2 min'],
    ['a.b-seconds', 3_600, '1 h'],
    ['a.b-percent', 25, '25 %'],
    ['a.waiting', 10_000, '10,000'],
  ])('writes the maximum of %s, %d, as %s', (name, max, text) => {
    expect(maximumText(name, max)).toBe(text);
  });
});

function treeOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'limits-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
