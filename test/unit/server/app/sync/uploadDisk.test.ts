import { beforeEach, describe, expect, it } from 'vitest';
import { UploadDisk } from '../../../../../server/app/sync/uploadDisk.ts';
import { SPARE_BYTES } from '../../../../../server/uploads/uploadRules.ts';

describe('the disk of uploads', () => {
  let nowMs: number;
  let freeBytes: number;
  let asked: number;
  let faults: string[];
  let disk: UploadDisk;
  beforeEach(() => {
    [nowMs, freeBytes, asked, faults] = [0, 10 * SPARE_BYTES, 0, []];
    disk = new UploadDisk({
      freeBytes: async () => {
        asked++;
        if (freeBytes < 0) throw new Error('the disk is away');
        return freeBytes;
      },
      now: () => nowMs,
      onFault: ({ message }) => faults.push(message),
    });
  });

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('lets uploads begin with twice of what they leave free, and is asked every few seconds', async () => {
    expect(disk.isReady()).toBe(true);
    freeBytes = 2 * SPARE_BYTES - 1;
    nowMs += 4_999;
    expect([disk.isReady(), asked]).toEqual([true, 1]);
    nowMs += 1;
    disk.isReady();
    await settled();
    expect([disk.isReady(), asked]).toEqual([false, 2]);
    freeBytes++;
    nowMs += 5_000;
    disk.isReady();
    await settled();
    expect(disk.isReady()).toBe(true);
  });

  it('breaks off those that run where others need the rest', async () => {
    freeBytes = SPARE_BYTES;
    expect(await disk.hasRoom()).toBe(true);
    freeBytes--;
    expect(await disk.hasRoom()).toBe(false);
    expect(disk.isReady()).toBe(false);
  });

  it('that cannot be asked is a fault, and as it was before', async () => {
    freeBytes = -1;
    expect(disk.isReady()).toBe(true);
    await settled();
    expect(faults).toHaveLength(1);
    expect(await disk.hasRoom()).toBe(true);
    expect(disk.isReady()).toBe(true);
  });
});
