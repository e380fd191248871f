import { describe, expect, it } from 'vitest';
import { type Disk, type MeasureDisk, openRoom } from '../../../../server/backup/archive/keptFree.ts';

/** The reserve is 1,000. */
const KEPT = { recordings: '/recordings', floorBytes: 2_000 };
const FULL = expect.objectContaining({ fault: 'disk-full' });

function open(disks: Readonly<Record<string, Disk>>, expectedBytes = 0, keptFree: typeof KEPT | undefined = KEPT) {
  const measure: MeasureDisk = async (folder) => disks[folder] ?? Promise.reject(new Error('ENOENT'));
  return openRoom({ folder: '/tests', keptFree, expectedBytes }, measure);
}
function onOne(freeBytes: number): Record<string, Disk> {
  const disk = { id: 1, freeBytes };
  return { '/tests': disk, '/recordings': disk };
}

describe('room on the disk of recordings', () => {
  it('is what is free but half the floor', async () => {
    const room = await open(onOne(1_500), 500);
    await room.taken(500);
    await expect(room.taken(501)).rejects.toEqual(FULL);
    await expect(open(onOne(1_500), 501)).rejects.toEqual(FULL);
    await expect(open(onOne(999))).rejects.toEqual(FULL);
  });

  it('ends when others take it', async () => {
    const disks = onOne(1_500);
    const room = await open(disks);
    disks['/tests'] = { id: 1, freeBytes: 999 };
    await expect(room.taken(1)).rejects.toEqual(FULL);
  });

  it('has no bound on another disk, and where nothing is recorded', async () => {
    const other = { '/tests': { id: 2, freeBytes: 0 }, '/recordings': { id: 1, freeBytes: 9 } };
    for (const disks of [other, { '/tests': { id: 1, freeBytes: 0 } }]) await (await open(disks, 9)).taken(9);
    const room = await openRoom({ folder: '/nowhere', keptFree: undefined, expectedBytes: 9 });
    await room.taken(9);
  });
});
