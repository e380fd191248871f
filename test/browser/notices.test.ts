import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildStamp, bundled, notices, root, web } from '../../server/setup/paths.mjs';
import { complaintsAbout } from '../rules/projectText.ts';
import { filesIn } from '../rules/sourceFiles.ts';

interface Notice {
  readonly name: string;
  readonly shippedIn: string;
  readonly text: string;
}

const written = readFileSync(notices, 'utf8');
const { packages } = JSON.parse(written) as { packages: readonly Notice[] };
const namesIn = (...places: readonly string[]): string[] =>
  packages.filter(({ shippedIn }) => places.includes(shippedIn)).map(({ name }) => name);

describe('the notices of the build', () => {
  it('have what the pages have: modules, styles, files, and what was in a package before it was published', () => {
    const browser = namesIn('browser', 'both');
    expect(browser).toEqual(expect.arrayContaining(['react', '@mui/material', 'maplibre-gl', 'world-atlas', 'vite']));
    // Within MapLibre.
    expect(browser).toEqual(expect.arrayContaining(['earcut', 'gl-matrix']));
    expect(browser).not.toContain('fastify');
  });

  it('have what the gateway needs, without what is only used to build and test', () => {
    const gateway = namesIn('gateway', 'both');
    expect(gateway).toEqual(expect.arrayContaining(['fastify', 'better-sqlite3', 'pg', 'typebox', 'bindings']));
    for (const name of ['react', 'vite', 'typescript', 'vitest']) expect(gateway).not.toContain(name);
    expect(gateway.some((name) => name.startsWith('@node-rs/argon2-'))).toBe(true);
  });

  it('have what belongs to others within packages', () => {
    expect(namesIn('browser')).toEqual(expect.arrayContaining(['Material Icons', 'Natural Earth']));
    expect(namesIn('gateway')).toContain('SQLite');
  });

  it('have a text each', () => {
    expect(packages.length).toBeGreaterThan(200);
    expect(packages.filter(({ text }) => text.length < 100).map(({ name }) => name)).toEqual([]);
  });

  it('name no folder of the machine, and are not served as files', () => {
    expect(complaintsAbout('notices.json', written)).toEqual([]);
    expect(written).not.toContain(root);
    expect(filesIn(web, ['.'], /notices\.json|build\.json/)).toEqual([]);
    expect(existsSync(bundled)).toBe(false);
  });
});

it('the stamp of the build has a commit and a date', () => {
  const stamp = JSON.parse(readFileSync(buildStamp, 'utf8'));
  expect(stamp).toEqual({
    commit: expect.stringMatching(/^([0-9a-f]{40})?$/),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    modified: expect.any(Boolean),
  });
});
