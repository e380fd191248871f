import { generateKeyPairSync, verify } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadOrMakeSigner } from '../../../../server/events/evidence/signingKey.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  const temp = await createTempFolder();
  onTestFinished(temp.remove);
  folder = temp.path;
  file = join(folder, 'evidence.key');
});

describe('the key for evidence packages', () => {
  it('is made once, is readable by its user alone, and signs alike after a restart', async () => {
    const first = loadOrMakeSigner(file);
    const text = Buffer.from('SHA256SUMS');
    const signature = first.sign(text);
    const again = loadOrMakeSigner(file);
    expect(again.publicKey).toBe(first.publicKey);
    expect(Buffer.compare(again.sign(text), signature)).toBe(0);
    expect(verify(null, text, again.publicKey, signature)).toBe(true);
    expect(await readdir(folder)).toEqual(['evidence.key']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['nothing', ''],
    ['half a key', '-----BEGIN PRIVATE KEY-----\nMC4CAQ'],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
  ])('that is %s says what to do', async (_what, content) => {
    await writeFile(file, content);
    expect(() => loadOrMakeSigner(file)).toThrow(/evidence\.key does not hold .* key\. Put the key back from a backup/);
  });
});
