import { createHash, randomBytes } from 'node:crypto';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImageFiles } from '../../../../server/firmware/images/imageFiles.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const CONTENT = randomBytes(1_000);
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const IMAGE = { sha256: SHA256, bytes: CONTENT.length };

describe('the file of a firmware image', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let files: ImageFiles;
  let path: string;
  beforeEach(async () => {
    folder = await createTempFolder();
    files = new ImageFiles(join(folder.path, 'firmware'));
    await files.start();
    path = files.pathOf(SHA256);
    await writeFile(path, CONTENT);
  });
  afterEach(() => folder.remove());

  it('is given out while its content has the hash', async () => {
    expect(await files.verifiedFile(IMAGE)).toBe(path);
  });

  it.each<[string, () => Promise<void>]>([
    ['has another content of its length', () => writeFile(path, CONTENT.toReversed())],
    ['is shorter', () => truncate(path, CONTENT.length - 1)],
    ['is longer', () => writeFile(path, Buffer.concat([CONTENT, Buffer.of(0)]))],
    ['is empty', () => truncate(path, 0)],
    ['is gone', () => rm(path)],
  ])('is not given out where it %s', async (_what, damage) => {
    await damage();
    expect(await files.verifiedFile(IMAGE)).toBeUndefined();
  });

  it('is not given out for an image of another length', async () => {
    expect(await files.verifiedFile({ sha256: SHA256, bytes: CONTENT.length + 1 })).toBeUndefined();
  });

  it('that can’t be looked at is not taken for a damaged one', async () => {
    // A folder that is none stands for a disk that fails.
    await expect(new ImageFiles(path).verifiedFile(IMAGE)).rejects.toThrow('ENOTDIR');
  });
});
