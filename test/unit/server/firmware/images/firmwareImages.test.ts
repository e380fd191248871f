import { describe, expect, it } from 'vitest';
import {
  FirmwareImages,
  type FirmwareImagesDeps,
  type NewImage,
} from '../../../../../server/firmware/images/firmwareImages.ts';
import type { AddedFirmwareImage, StoredFirmwareImage } from '../../../../../server/store/firmware/firmwareImages.ts';

const SHA256 = 'a'.repeat(64);
const WANTED = {
  memberGroup: 1,
  content: { name: 'Summer' },
  upload: 'b'.repeat(32),
  by: { id: 1, username: 'ann' },
} as NewImage;

/** `named`: other images of the content. */
function openImages(adopt: () => Promise<void>, named: readonly string[] = []) {
  const rows = new Map<number, AddedFirmwareImage>();
  const removedFiles: string[] = [];
  const images = new FirmwareImages({
    store: {
      insert: async (image: AddedFirmwareImage) => {
        rows.set(rows.size + 1, image);
        return { ok: true, value: { ...image, id: rows.size, version: 1 } as StoredFirmwareImage };
      },
      remove: async ({ id }: { readonly id: number }) => {
        rows.delete(id);
        return { ok: false, reason: 'gone' };
      },
      hashes: async () => new Set([...named, ...[...rows.values()].map(({ sha256 }) => sha256)]),
    },
    files: { adopt, remove: async (sha256: string) => void removedFiles.push(sha256) },
    uploads: {
      take: (_wanted: unknown, use: (upload: object) => unknown) => use({ path: '/upload', bytes: 1, sha256: SHA256 }),
    },
    now: () => 0,
  } as unknown as FirmwareImagesDeps);
  return { images, rows, removedFiles };
}

const failing = () => Promise.reject(Object.assign(new Error('EXDEV'), { code: 'EXDEV' }));

describe('a firmware image whose file cannot be moved to its place', () => {
  it('is not there, and neither is what may have been moved', async () => {
    const { images, rows, removedFiles } = openImages(failing);
    await expect(images.add(WANTED)).rejects.toMatchObject({ cause: { code: 'EXDEV' } });
    expect([rows.size, removedFiles]).toEqual([0, [SHA256]]);
  });

  it('leaves the file of another image of the same content', async () => {
    const { images, rows, removedFiles } = openImages(failing, [SHA256]);
    await expect(images.add(WANTED)).rejects.toThrow('could not be moved');
    expect([rows.size, removedFiles]).toEqual([0, []]);
  });

  it('differs from one whose file is there', async () => {
    const { images, rows } = openImages(async () => undefined);
    expect(await images.add(WANTED)).toMatchObject({ ok: true, value: { sha256: SHA256 } });
    expect(rows.size).toBe(1);
  });
});
