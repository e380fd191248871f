import { execFile } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programs } from '../../../../server/setup/paths.mjs';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { writeTree } from './tree.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

interface Outcome {
  readonly code: number | string | null;
  readonly said: string;
}

/** What `npm run check` runs, on a folder of the test's or on the product. */
function check(...folders: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [programs.checkNotices, ...folders], (error, _output, said) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), said });
    });
  });
}

const LICENSED = {
  'package.json': { dependencies: { plain: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
  'node_modules/plain/package.json': { name: 'plain', version: '1.0.0', license: 'MIT', dependencies: { deep: '2' } },
  'node_modules/plain/LICENSE': 'Do as you like.',
  'node_modules/tool/package.json': { name: 'tool', version: '1.0.0', license: 'GPL-3.0-only' },
};
const deep = { name: 'deep', version: '2.0.0' };

describe('the check of licenses', () => {
  it('passes what the product needs', async () => {
    expect(await check()).toEqual({ code: 0, said: '' });
  });

  it('passes licenses on the list, and asks nothing of what is only used to build', async () => {
    writeTree(folder.path, { ...LICENSED, 'node_modules/deep/package.json': { ...deep, license: 'ISC' } });
    expect(await check(folder.path)).toEqual({ code: 0, said: '' });
  });

  it('fails on a license that is not on the list, also of a package that only another one needs', async () => {
    const manifest = { ...deep, license: 'GPL-3.0-only' };
    writeTree(folder.path, { ...LICENSED, 'node_modules/deep/package.json': manifest });
    const { code, said } = await check(folder.path);
    expect(code).toBe(1);
    expect(said).toMatch(/^deep 2\.0\.0 has the license GPL-3\.0-only, which is not on the list/);
  });

  it('fails on a package that names no license', async () => {
    writeTree(folder.path, { ...LICENSED, 'node_modules/deep/package.json': deep });
    expect(await check(folder.path)).toEqual({ code: 1, said: 'deep 2.0.0 names no license.\n' });
  });

  it('fails on a package without a text that has a license whose text is not there', async () => {
    writeTree(folder.path, { ...LICENSED, 'node_modules/deep/package.json': { ...deep, license: 'CC0-1.0' } });
    const { code, said } = await check(folder.path);
    expect(code).toBe(1);
    expect(said).toMatch(/^deep 2\.0\.0 has no text of its license/);
  });

  it('fails on a package that is not installed', async () => {
    writeTree(folder.path, LICENSED);
    const { code, said } = await check(folder.path);
    expect(code).toBe(1);
    expect(said).toMatch(/deep, which .* needs, is not installed/);
  });
});
