// Limits backups and tests of restores on the disk of the recordings. Below its floor of free space the recorder deletes the oldest
// footage, and below a quarter of the floor recording stops. The space in between is for temporary use such as this, and a disk that
// recordings have filled has no other room; but taking more deletes days of footage, which no backup is worth.
import { stat, statfs } from 'node:fs/promises';
import { ArchiveFault } from './faults.ts';

export interface KeptFree {
  /** Folder of the recordings: another disk may be filled. */
  readonly recordings: string;
  /** Free bytes below which the recorder deletes. */
  readonly floorBytes: number;
}

export interface Disk {
  readonly id: number;
  readonly freeBytes: number;
}
export type MeasureDisk = (folder: string) => Promise<Disk>;

export interface Room {
  /** Reports the total written so far. Throws `disk-full` where that is more than there was room for, or others have taken the room. */
  taken(bytes: number): Promise<void>;
}

export interface WantedRoom {
  /** Existing folder that is written to. */
  readonly folder: string;
  /** Left out: nothing is recorded. */
  readonly keptFree: KeptFree | undefined;
  /** An estimate, too low rather than too high. */
  readonly expectedBytes: number;
}

const LOOK_MS = 1_000;
const BOUNDLESS: Room = { taken: async () => undefined };

/** Throws `disk-full` where there is no room. */
export async function openRoom({ folder, keptFree, expectedBytes }: WantedRoom, measure = measureDisk): Promise<Room> {
  if (keptFree === undefined) return BOUNDLESS;
  const disk = await measure(folder);
  // A folder that doesn't exist yet has no footage.
  const recordings = await measure(keptFree.recordings).catch(() => undefined);
  if (recordings?.id !== disk.id) return BOUNDLESS;
  const reserve = keptFree.floorBytes / 2;
  const allowed = disk.freeBytes - reserve;
  if (expectedBytes > allowed || allowed < 0) throw full(`${expectedBytes} of ${disk.freeBytes} free bytes`);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return {
    taken: async (bytes) => {
      if (bytes > allowed) throw full(`${bytes} of ${disk.freeBytes} free bytes`);
      if (performance.now() - lookedAtMs < LOOK_MS) return;
      lookedAtMs = performance.now();
      const { freeBytes } = await measure(folder);
      if (freeBytes < reserve) throw full(`${freeBytes} bytes are free`);
    },
  };
}

async function measureDisk(folder: string): Promise<Disk> {
  const [{ dev }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
  return { id: dev, freeBytes: bavail * bsize };
}

function full(taken: string): ArchiveFault {
  return new ArchiveFault('disk-full', `${taken}: recordings need the rest`);
}
