import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../../../server/setup/notices/manifest.mjs';

const read = (fields: Record<string, unknown>) => readManifest({ name: 'one', version: '1.2.3', ...fields });

describe('readManifest', () => {
  it.each([
    [{ license: 'MIT' }, 'MIT'],
    [{ license: { type: 'ISC', url: 'https://example.com' } }, 'ISC'],
    [{ licenses: [{ type: 'MIT' }, { type: 'Apache-2.0' }] }, '(MIT OR Apache-2.0)'],
    [{ licenses: [{ type: 'MIT' }] }, 'MIT'],
    [{ license: 'MIT', licenses: [{ type: 'GPL-3.0' }] }, 'MIT'],
    [{}, ''],
    [{ license: null }, ''],
    [{ license: 7 }, ''],
  ])('reads the license of %j', (fields, license) => {
    expect(read(fields).license).toBe(license);
  });

  it('knows the license of a package that says it elsewhere', () => {
    expect(readManifest({ name: '@mapbox/jsonlint-lines-primitives', version: '2.0.2' }).license).toBe('MIT');
  });

  it.each([
    [{ author: 'Ann Lee <ann@example.com> (https://example.com)' }, 'Ann Lee'],
    [{ author: { name: 'Ann Lee', email: 'ann@example.com' } }, 'Ann Lee'],
    [{ contributors: [{ email: 'x@example.com' }, 'Bo Lee'] }, 'Bo Lee'],
    [{}, 'the authors of one'],
  ])('reads the holder of %j, without an address', (fields, holder) => {
    expect(read(fields).holder).toBe(holder);
  });

  it.each([
    [{ repository: 'git+https://github.com/a/b.git' }, 'https://github.com/a/b'],
    [{ repository: { type: 'git', url: 'git://github.com/a/b.git' } }, 'https://github.com/a/b'],
    [{ repository: 'git@github.com:a/b.git' }, 'https://github.com/a/b'],
    [{ repository: 'git+ssh://git@github.com/a/b.git' }, 'https://github.com/a/b'],
    [{ repository: 'a/b' }, 'https://github.com/a/b'],
    [{ repository: 'github:a/b' }, 'https://github.com/a/b'],
    [{ homepage: 'http://example.com' }, 'https://example.com'],
    [{ repository: 'file:///home' }, ''],
    [{ repository: 'javascript:alert(1)' }, ''],
    [{}, ''],
  ])('reads the source of %j', (fields, source) => {
    expect(read(fields).source).toBe(source);
  });

  it('tells what it needs from what may be missing, and from what only lies beside it', () => {
    const { dependencies, optional } = read({
      dependencies: { a: '1', native: '1' },
      optionalDependencies: { native: '1' },
      peerDependencies: { host: '1', compiler: '1' },
      peerDependenciesMeta: { compiler: { optional: true } },
      devDependencies: { tests: '1' },
    });
    expect(dependencies).toEqual(['a']);
    expect(optional).toEqual(['native', 'host']);
  });
});
