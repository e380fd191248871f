import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { compressFolder } from '../../../server/setup/compress.mjs';
import { createTempFolder } from '../../support/tempFolder.ts';

it('puts copies that decompress to the same beside texts over 1 KB, and beside nothing else', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const script = Buffer.from('export const line = 1;\n'.repeat(100));
  await writeFile(join(folder.path, 'long.js'), script);
  await writeFile(join(folder.path, 'short.js'), 'export {};\n');
  await writeFile(join(folder.path, 'picture.png'), script);

  await compressFolder(folder.path);

  expect((await readdir(folder.path)).sort()).toEqual([
    'long.js',
    'long.js.br',
    'long.js.gz',
    'picture.png',
    'short.js',
  ]);
  expect(brotliDecompressSync(await readFile(join(folder.path, 'long.js.br')))).toEqual(script);
  expect(gunzipSync(await readFile(join(folder.path, 'long.js.gz')))).toEqual(script);
});
