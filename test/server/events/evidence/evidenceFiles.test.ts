import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { EvidenceFiles } from '../../../../server/events/evidence/evidenceFiles.ts';
import { jpegBytes } from '../../../support/media/jpegBytes.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

let root: string;
let files: EvidenceFiles;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  root = join(folder.path, 'evidence');
  files = new EvidenceFiles(root);
  await files.start();
});

async function store(...parts: (readonly [number, Uint8Array])[]) {
  const file = await files.create();
  for (const [offset, data] of parts) await file.write(offset, data);
  return file.finish();
}

async function read(fileId: string): Promise<Uint8Array | undefined> {
  const handle = await files.open(fileId);
  const bytes = await handle?.readFile();
  await handle?.close();
  return bytes;
}

const names = async (): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ name }) => name);

describe('a file of an event', () => {
  it('is stored under a number of ours, with its hash and what it is', async () => {
    const picture = jpegBytes(2_000_000);
    const half = 1_000_000;
    const stored = await store([half, picture.subarray(half)], [0, picture.subarray(0, half)]);
    const sha256 = createHash('sha256').update(picture).digest('hex');
    expect(stored).toMatchObject({ bytes: picture.length, contentType: 'image/jpeg', sha256 });
    expect(stored.fileId).toMatch(/^[0-9a-f]{32}$/);
    expect(Buffer.compare((await read(stored.fileId)) ?? new Uint8Array(), picture)).toBe(0);
    expect((await stat(join(root, stored.fileId.slice(0, 2), stored.fileId))).mode & 0o077).toBe(0);
  });

  it('has no name before it is whole', async () => {
    const file = await files.create();
    await file.write(0, jpegBytes());
    const [name = ''] = await names();
    expect(await read(name)).toBeUndefined();
    await file.discard();
    await file.discard();
    expect(await names()).toEqual([]);
  });

  it('that a crash left half written is gone after the next start; others stay', async () => {
    const { fileId } = await store([0, jpegBytes()]);
    const halfWritten = await files.create();
    onTestFinished(() => halfWritten.discard());
    await halfWritten.write(0, jpegBytes());
    const again = new EvidenceFiles(root);
    await again.start();
    expect(await names()).toEqual([fileId]);
  });

  it.each(['../fleetglass.db', '/etc/passwd', 'incoming', '', 'AB'.repeat(16), `${'ab'.repeat(16)}/..`])(
    'is never sought under the name %s',
    async (name) => {
      await writeFile(join(root, '..', 'fleetglass.db'), 'secret');
      expect(await read(name)).toBeUndefined();
      await files.remove([name]);
      expect(await readFile(join(root, '..', 'fleetglass.db'), 'utf8')).toBe('secret');
    },
  );

  it('is removed once, and listed until then', async () => {
    const { fileId } = await store([0, jpegBytes()]);
    const listed: string[] = [];
    for await (const part of files.olderThan(Date.now() + 60_000)) listed.push(...part);
    for await (const part of files.olderThan(0)) listed.push(...part);
    expect(listed).toEqual([fileId]);
    await files.remove([fileId, fileId]);
    expect(await read(fileId)).toBeUndefined();
  });

  it.skipIf(process.getuid?.() === 0)('fails where the disk takes nothing', async () => {
    await chmod(join(root, 'incoming'), 0o500);
    await expect(files.create()).rejects.toThrow(/EACCES/);
  });
});
