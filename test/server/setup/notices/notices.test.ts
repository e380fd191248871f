import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closureOf, readPackage } from '../../../../server/setup/notices/installed.mjs';
import { draftNotices } from '../../../../server/setup/notices/notices.mjs';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { writeTree } from './tree.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

/** Installs packages, by where they lie below node_modules. */
function install(packages: Readonly<Record<string, Record<string, unknown>>>): void {
  const files = Object.entries(packages).map(([path, fields]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const manifest = { name, version: '1.0.0', license: 'MIT', author: 'Ann Lee', ...fields };
    return [`node_modules/${path}/package.json`, manifest] as const;
  });
  writeTree(folder.path, Object.fromEntries(files));
}

const at = (path: string) => readPackage(join(folder.path, 'node_modules', path));
const noticesOf = (gateway: readonly string[], browser: readonly string[] = []) =>
  draftNotices({ gateway: gateway.map(at), browser: browser.map(at) });

describe('closureOf', () => {
  const namesAndVersions = (names: readonly string[]) =>
    closureOf(folder.path, names)
      .map(({ name, version }) => `${name}@${version}`)
      .sort();

  it('has what packages need, each in the version that it gets', () => {
    install({
      a: { dependencies: { b: '2', c: '1' } },
      'a/node_modules/b': { version: '2.0.0' },
      b: { dependencies: { c: '1' } },
      c: { dependencies: { a: '1' } },
      other: {},
    });
    expect(namesAndVersions(['a', 'b'])).toEqual(['a@1.0.0', 'b@1.0.0', 'b@2.0.0', 'c@1.0.0']);
  });

  it('has of optional packages those that this platform has', () => {
    install({ a: { optionalDependencies: { here: '1', there: '1' } }, here: {} });
    expect(namesAndVersions(['a'])).toEqual(['a@1.0.0', 'here@1.0.0']);
  });
});

describe('draftNotices', () => {
  it('says where each package is shipped, once for each version, by name', () => {
    install({ b: {}, a: {}, 'b/node_modules/a': { version: '2.0.0' }, 'c/node_modules/a': {} });
    const notices = noticesOf(['b', 'a'], ['a', 'b/node_modules/a', 'c/node_modules/a']);
    expect(notices.map(({ name, version, shippedIn }) => [name, version, shippedIn])).toEqual([
      ['a', '1.0.0', 'both'],
      ['a', '2.0.0', 'browser'],
      ['b', '1.0.0', 'gateway'],
    ]);
  });

  const textOf = (...packages: readonly string[]) => noticesOf(packages)[0]?.text;

  it('has the texts that a package brings, those of what it took over included', () => {
    install({ a: {} });
    writeTree(join(folder.path, 'node_modules/a'), {
      LICENSE: 'Of a.\r\n',
      'NOTICE.txt': 'Noted.',
      'vendor/b/LICENSE.md': 'Of b.',
      'vendor/c/LICENSE.md': 'Of b.',
      'Copyright.js': 'code',
      'node_modules/d/LICENSE': 'Of another package.',
    });
    const rule = `\n\n${'-'.repeat(80)}\n\n`;
    expect(textOf('a')).toBe(['Of a.', 'Noted.', 'Of b.'].join(rule));
  });

  it('takes the text of a binary for one platform from the package that it belongs to', () => {
    install({ 'a-linux': { license: 'MIT' }, b: { optionalDependencies: { 'a-linux': '1' } } });
    writeTree(join(folder.path, 'node_modules/b'), { LICENSE: 'Of the whole.' });
    expect(textOf('a-linux', 'b')).toBe('Of the whole.');
  });

  it('puts a text together where a package brings none', () => {
    install({ a: { license: 'MIT AND ISC' } });
    expect(textOf('a')).toMatch(/^ISC License\n\nCopyright \(c\) Ann Lee\n/);
    expect(textOf('a')).toMatch(/^MIT License\n\nCopyright \(c\) Ann Lee\n/m);
  });

  it('has no text where that takes one that is not there', () => {
    install({ a: { license: 'MIT AND CC0-1.0' } });
    expect(noticesOf(['a'])[0]).toMatchObject({ name: 'a', text: undefined });
  });

  it('lists what belongs to others in a package, in the version that it has', () => {
    install({ 'better-sqlite3': {} });
    writeTree(join(folder.path, 'node_modules/better-sqlite3'), {
      'deps/sqlite3/sqlite3.h': '#define SQLITE_VERSION        "3.53.2"\n',
    });
    const [sqlite] = noticesOf(['better-sqlite3']);
    expect(sqlite).toMatchObject({ name: 'SQLite', version: '3.53.2', license: 'blessing', shippedIn: 'gateway' });
    expect(sqlite?.text).toContain('May you do good');
  });

  it('is not guessed where a package no longer says which version of it it has', () => {
    install({ 'world-atlas': {} });
    writeTree(join(folder.path, 'node_modules/world-atlas'), { 'README.md': 'Maps.' });
    expect(() => noticesOf(['world-atlas'])).toThrow('no longer says which version of Natural Earth it has');
  });
});
