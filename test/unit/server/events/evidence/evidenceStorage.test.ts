import { beforeEach, describe, expect, it } from 'vitest';
import type { IncomingFile } from '../../../../../server/events/evidence/evidenceFiles.ts';
import {
  DEVICE_SHARE_LIMIT,
  EvidenceStorage,
  FREE_FLOOR_BYTES,
  GROUP_SHARE_LIMIT,
  INCOMING_FILES_LIMIT,
} from '../../../../../server/events/evidence/evidenceStorage.ts';
import type { DeviceOwners } from '../../../../../server/limits/deviceOwners.ts';
import type { FilesOf } from '../../../../../server/store/events/eventFiles.ts';
import type { StoredEventMedia } from '../../../../../server/store/events/eventMediaRows.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';
import { ONE_OWNER, OWNERS_BY_HUNDRED } from '../../../../support/fakes/deviceOwners.ts';

const MAXIMUM = 1_000;

let freeBytes: number;
let stored: StoredEventMedia[];
let removed: string[];
let removedRows: number[];
let held: Set<number>;
let onDisk: (fileId: string) => boolean;
let faults: string[];
let limits: string[];
let diskError: Error | undefined;
let storage: EvidenceStorage;
let owners: DeviceOwners;

beforeEach(() => {
  [freeBytes, stored, removed, removedRows, faults, limits] = [FREE_FLOOR_BYTES * 2, [], [], [], [], []];
  [held, onDisk] = [new Set(), () => true];
  diskError = undefined;
  owners = ONE_OWNER;
  storage = new EvidenceStorage({
    files: {
      start: async () => undefined,
      create: async () => fileOf(`new-${stored.length}`),
      remove: async (fileIds) => void removed.push(...fileIds),
      olderThan: async function* () {
        yield ['known', 'unknown'];
      },
      has: async (fileIds) => new Set(fileIds.filter((fileId) => onDisk(fileId))),
      freeBytes: async () => freeBytes,
    },
    store: {
      storedBytes: async () => {
        const used = new Map<number, number>();
        for (const { archiveNumber, bytes } of stored) used.set(archiveNumber, (used.get(archiveNumber) ?? 0) + bytes);
        return used;
      },
      oldestRemovable: async (limit, of) => removable(of).slice(0, limit),
      removableBytes: async (of) => removable(of).reduce((sum, { bytes }) => sum + bytes, 0),
      markRemoved: async (ids) => {
        const found = stored.filter(({ id }) => ids.includes(id));
        removedRows.push(...found.map(({ id }) => id));
        stored = stored.filter((each) => !found.includes(each));
        return new Set(found.map(({ id }) => id));
      },
      storedAfter: async (id, limit) => stored.filter((each) => each.id > id).slice(0, limit),
      knownFiles: async (fileIds) => new Set(fileIds.filter((fileId) => fileId === 'known')),
      failReceiving: async () => undefined,
    },
    maximumBytes: MAXIMUM,
    owners: {
      ofDevice: (deviceId) => owners.ofDevice(deviceId),
      ofArchive: (archiveNumber) => owners.ofArchive(archiveNumber),
      get count() {
        return owners.count;
      },
    },
    now: () => 0,
    onFault: ({ message }) => faults.push(message),
    onLimit: ({ name }) => limits.push(name),
  });
});

const removable = (of: FilesOf | undefined) =>
  stored.filter(({ id, archiveNumber }) => {
    if (held.has(id)) return false;
    if (of === undefined) return true;
    return 'archiveNumber' in of
      ? archiveNumber === of.archiveNumber
      : owners.ofArchive(archiveNumber) === of.memberGroup;
  });

function fileOf(fileId: string): IncomingFile {
  if (diskError !== undefined) throw diskError;
  return {
    write: async () => undefined,
    finish: async () => ({ fileId, contentType: 'image/jpeg', bytes: 300, sha256: '', isCutPicture: false }),
    discard: async () => undefined,
  };
}

/** Each of another device, unless it is said whose they are. */
function have(count: number, { bytes = 100, of }: { readonly bytes?: number; readonly of?: number } = {}): void {
  stored = Array.from({ length: count }, (_, at) => {
    const file = { fileId: `file-${at + 1}`, contentType: 'image/jpeg', bytes, sha256: '' };
    return { id: at + 1, ...anEventMedia({ bytes, file, archiveNumber: of ?? at + 1 }) };
  });
}

/** 100 bytes of each of these devices, the oldest first. */
function haveOf(archiveNumbers: readonly number[]): void {
  have(archiveNumbers.length);
  stored = stored.map((each, at) => ({ ...each, archiveNumber: archiveNumbers[at] ?? 0 }));
  owners = OWNERS_BY_HUNDRED;
}

describe('room that member groups share', () => {
  it('is made by the group that has the most, however old the files of the others are', async () => {
    haveOf([201, 202, 101, 102, 103, 104, 105, 106, 107, 301]);
    await storage.start();
    expect(await storage.reserve(150, 203)).toBeDefined();
    expect(removedRows).toEqual([3, 4]);
    await storage.reserve(250, 302);
    expect(removedRows).toEqual([3, 4, 5, 6]);
  });

  it('is made by the group itself as soon as it has the most', async () => {
    haveOf([201, 202, 203, 204, 205, 101, 102, 103, 104, 105]);
    await storage.start();
    await storage.reserve(100, 106);
    expect(removedRows).toEqual([6]);
  });

  it('is left by what a group holds, which nobody may remove', async () => {
    haveOf([101, 102, 103, 104, 105, 106, 107]);
    held = new Set([1, 2, 3, 4, 5, 6, 7]);
    await storage.start();
    expect(await storage.reserve(50, 108)).toBeDefined();
    expect(await storage.reserve(1, 109)).toBeUndefined();
    expect(limits).toEqual([GROUP_SHARE_LIMIT.name]);
    expect(await storage.reserve(250, 201)).toBeDefined();
    expect(removedRows).toEqual([]);
  });

  it('is made by whoever can where the group that has the most holds all of it', async () => {
    haveOf([101, 102, 103, 104, 105, 106, 201, 202, 203, 301]);
    held = new Set([1, 2, 3, 4, 5, 6]);
    await storage.start();
    expect(await storage.reserve(100, 302)).toBeDefined();
    expect(removedRows).toEqual([7]);
  });

  it('has a place for the file of one group while another one writes as many as it may', async () => {
    owners = OWNERS_BY_HUNDRED;
    let last: unknown = 'none yet';
    while (last !== undefined) last = await storage.reserve(0, 101);
    expect(limits).toEqual([INCOMING_FILES_LIMIT.name]);
    expect(await storage.reserve(0, 201)).toBeDefined();
  });

  it('is looked for next where a group has one file, however many another one waits for', async () => {
    owners = OWNERS_BY_HUNDRED;
    const order: string[] = [];
    const reserve = (name: string, archiveNumber: number) =>
      storage.reserve(1, archiveNumber).then(() => void order.push(name));
    const many = Array.from({ length: 20 }, (_, at) => reserve(`a${at}`, 101));
    await Promise.all([...many, reserve('b', 201)]);
    expect(order.indexOf('b')).toBe(1);
  });
});

describe('room for files of events', () => {
  it('is taken while a file is written, and by what it then is', async () => {
    const file = await storage.reserve(250, 1);
    expect(storage.usedBytes).toBe(250);
    await file?.finish();
    await file?.discard();
    expect(storage.usedBytes).toBe(300);
    const other = await storage.reserve(250, 2);
    await other?.discard();
    expect(storage.usedBytes).toBe(300);
  });

  it('is made by as many of the oldest as are needed', async () => {
    have(10);
    await storage.start();
    expect(await storage.reserve(150, 99)).toBeDefined();
    expect(removedRows).toEqual([1, 2]);
    expect(removed).toEqual(['file-1', 'file-2']);
    expect(storage.usedBytes).toBe(950);
  });

  it('is taken by what comes of a file, not by what was announced', async () => {
    have(10);
    await storage.start();
    const announced = await Promise.all([1, 2, 3, 4].map(() => storage.open(250, 99)));
    expect(announced.every((file) => file !== undefined)).toBe(true);
    expect([storage.usedBytes, removedRows]).toEqual([1_000, []]);
    expect(await announced[0]?.write(0, new Uint8Array(100))).toBe(true);
    expect([storage.usedBytes, removedRows]).toEqual([950, [1, 2, 3]]);
    // What comes once more is there already.
    for (let again = 0; again < 5; again++) await announced[0]?.write(0, new Uint8Array(100));
    expect(storage.usedBytes).toBe(950);
    await announced[0]?.discard();
    expect(storage.usedBytes).toBe(700);
    await announced[1]?.write(0, new Uint8Array(1));
    await announced[1]?.finish();
    await announced[1]?.discard();
    expect(storage.usedBytes).toBe(1_000);
  });

  it('is refused for what comes where none is left, and for what would not fit by now', async () => {
    have(10);
    await storage.start();
    const [small, large] = [await storage.open(150, 99), await storage.open(251, 99)];
    expect([small === undefined, large]).toEqual([false, undefined]);
    for (const { id } of stored) held.add(id);
    expect(await small?.write(0, new Uint8Array(100))).toBe(false);
    expect([storage.usedBytes, limits]).toEqual([1_000, [DEVICE_SHARE_LIMIT.name]]);
    expect(await storage.open(1, 98)).toBeUndefined();
  });

  it('is not there where too much is held, and then nothing is removed for it', async () => {
    have(10);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9]) held.add(id);
    await storage.start();
    expect(await storage.reserve(150, 99)).toBeUndefined();
    expect(faults).toEqual(['no room for files of events']);
    expect(removedRows).toEqual([]);
    expect(await storage.reserve(100, 99)).toBeDefined();
    expect(removedRows).toEqual([10]);
  });

  it('is not there for a file that is larger than all may be, and then nothing is removed for it', async () => {
    have(5);
    await storage.start();
    expect(await storage.reserve(MAXIMUM + 1, 99)).toBeUndefined();
    expect(removedRows).toEqual([]);
  });

  it('is made where the disk would have too little left for the database, which may tell of it only later', async () => {
    have(3);
    await storage.start();
    freeBytes = FREE_FLOOR_BYTES + 50;
    expect(await storage.reserve(100, 99)).toBeDefined();
    expect(removedRows).toEqual([1]);
    freeBytes = 0;
    expect(await storage.reserve(100, 99)).toBeUndefined();
    expect(removedRows).toEqual([1]);
  });

  it('is a share for each device, for which its own oldest files go', async () => {
    have(2, { of: 4 });
    await storage.start();
    expect(await storage.reserve(150, 4)).toBeDefined();
    expect(removedRows).toEqual([1]);
    held.add(2);
    expect(await storage.reserve(150, 4)).toBeUndefined();
    expect([removedRows, limits]).toEqual([[1], [DEVICE_SHARE_LIMIT.name]]);
    expect(await storage.reserve(150, 5)).toBeDefined();
  });

  it('is counted once where retention removes the same files at the same time', async () => {
    have(10);
    await storage.start();
    const [first] = stored;
    stored = stored.slice(1);
    await storage.remove([{ fileId: 'file-1', bytes: 100, archiveNumber: first?.archiveNumber ?? 0 }]);
    await storage.reserve(100, 99);
    expect(storage.usedBytes).toBe(1_000);
  });

  it('is not there where the disk fails, which is told and leaves no place taken', async () => {
    diskError = new Error('EIO');
    expect(await storage.reserve(250, 1)).toBeUndefined();
    expect(faults).toEqual(['a file of an event could not be stored']);
    diskError = undefined;
    expect(storage.usedBytes).toBe(0);
    expect(await storage.reserve(250, 1)).toBeDefined();
  });

  it('is given back by files that no row names', async () => {
    await storage.removeUnknown(5);
    expect(removed).toEqual(['unknown']);
  });

  it('is given back by rows whose files are gone, unless all are', async () => {
    have(3);
    await storage.start();
    onDisk = (fileId) => fileId !== 'file-2';
    await storage.markLost();
    expect([removedRows, storage.usedBytes]).toEqual([[2], 200]);
    onDisk = () => false;
    await expect(storage.markLost()).rejects.toThrow('none of its files');
    expect(removedRows).toEqual([2]);
  });
});
