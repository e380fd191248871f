import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './projectText.ts';
import { filesIn, repository } from './sourceFiles.ts';

const NOT_OURS = ['.git', 'node_modules', 'dist', 'data'];

describe('the texts of the project', () => {
  it('name no registry and no folder of a machine', () => {
    const complaints = textFiles().flatMap((path) =>
      complaintsAbout(path, readFileSync(join(repository, path), 'utf8')),
    );
    expect(complaints).toEqual([]);
  });

  it('leave the places of packages out of the lock file', () => {
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<{ resolved?: string }>(lock.packages);
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
  });
});

it('names in docs/architecture.md only files and folders that there are', () => {
  const text = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:pages|server|shared|simulator|test|workers)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

it('gives each version in CHANGELOG.md a date, the newest of them that of package.json', () => {
  const text = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  const [first, ...versions] = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  expect(first).toBe('Unreleased');
  expect(versions.filter((heading) => !/^\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/.test(heading))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  expect(versions[0]?.split(' ')[0]).toBe(version);
  const groups = [...text.matchAll(/^### (.*)$/gm)].map(([, group = '']) => group);
  expect(groups.filter((group) => !['Added', 'Changed', 'Fixed', 'Security'].includes(group))).toEqual([]);
});

describe('complaintsAbout', () => {
  // Put together here, so that this file passes its own rule.
  const slash = '/';
  it.each([
    ['a package registry', `see https://registry${'.'}example.org for it`],
    ['a registry setting', `registry${'='}https://packages.example`],
    ["a developer's folder", `open ${slash}work${slash}main`],
    ["a developer's folder", `open ${slash}home${slash}someone${slash}fleet`],
    ["a developer's folder", `open ${slash}Users${slash}someone${slash}fleet`],
  ])('finds %s', (what, text) => {
    expect(complaintsAbout('file', `first line\n${text}`)).toEqual([expect.stringContaining(`file:2: ${what}`)]);
  });

  it.each(['/workers/stream.worker.js', '/home', 'pages/home/tiles.tsx', 'const registry = createRegistry()'])(
    'lets %s pass',
    (text) => {
      expect(complaintsAbout('file', text)).toEqual([]);
    },
  );
});

/** All files but those that git ignores and those that hold no text. */
function textFiles(): string[] {
  return readdirSync(repository)
    .filter((name) => !NOT_OURS.includes(name))
    .flatMap((name) => (statSync(join(repository, name)).isDirectory() ? filesIn(repository, [name], /./) : [name]))
    .filter((path) => !readFileSync(join(repository, path)).includes(0));
}
