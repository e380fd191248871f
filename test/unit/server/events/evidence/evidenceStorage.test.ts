import { beforeEach, describe, expect, it } from 'vitest';
import type { IncomingFile } from '../../../../../server/events/evidence/evidenceFiles.ts';
import { EvidenceStorage, FREE_FLOOR_BYTES } from '../../../../../server/events/evidence/evidenceStorage.ts';
import type { StoredEventMedia } from '../../../../../server/store/events/eventMediaRows.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';

const MAXIMUM = 1_000;

let freeBytes: number;
let stored: StoredEventMedia[];
let removed: string[];
let removedRows: number[];
let faults: string[];
let diskError: Error | undefined;
let storage: EvidenceStorage;

beforeEach(() => {
  [freeBytes, stored, removed, removedRows, faults] = [FREE_FLOOR_BYTES * 2, [], [], [], []];
  diskError = undefined;
  storage = new EvidenceStorage({
    files: {
      start: async () => undefined,
      create: async () => fileOf(`new-${stored.length}`),
      remove: async (fileIds) => void removed.push(...fileIds),
      olderThan: async function* () {
        yield ['known', 'unknown'];
      },
      freeBytes: async () => freeBytes,
    },
    store: {
      storedBytes: async () => stored.reduce((sum, { bytes }) => sum + bytes, 0),
      oldestRemovable: async (limit) => stored.slice(0, limit),
      setState: async (ids) => {
        removedRows.push(...ids);
        freeBytes += 100 * ids.length;
        stored = stored.filter(({ id }) => !ids.includes(id));
      },
      knownFiles: async (fileIds) => new Set(fileIds.filter((fileId) => fileId === 'known')),
      failReceiving: async () => undefined,
    },
    maximumBytes: MAXIMUM,
    now: () => 0,
    onFault: ({ message }) => faults.push(message),
    onLimit: () => undefined,
  });
});

function fileOf(fileId: string): IncomingFile {
  if (diskError !== undefined) throw diskError;
  return {
    write: async () => undefined,
    finish: async () => ({ fileId, contentType: 'image/jpeg', bytes: 300, sha256: '' }),
    discard: async () => undefined,
  };
}

function have(count: number, bytes = 100): void {
  stored = Array.from({ length: count }, (_, at) => {
    const file = { fileId: `file-${at}`, contentType: 'image/jpeg', bytes, sha256: '' };
    return { id: at, ...anEventMedia({ bytes, file }) };
  });
}

describe('room for files of events', () => {
  it('is taken while a file is written, and by what it then is', async () => {
    const file = await storage.reserve(500);
    expect(storage.usedBytes).toBe(500);
    await file?.finish();
    await file?.discard();
    expect(storage.usedBytes).toBe(300);
    const other = await storage.reserve(500);
    await other?.discard();
    expect(storage.usedBytes).toBe(300);
  });

  it('is made by as many of the oldest as are needed', async () => {
    have(10);
    await storage.start();
    expect(await storage.reserve(150)).toBeDefined();
    expect(removedRows).toEqual([0, 1]);
    expect(removed).toEqual(['file-0', 'file-1']);
    expect(storage.usedBytes).toBe(950);
  });

  it('is not there where all is held', async () => {
    await storage.reserve(900);
    expect(await storage.reserve(200)).toBeUndefined();
    expect(faults).toEqual(['no room for files of events']);
  });

  it('is made where the disk would have too little left for the database', async () => {
    have(3);
    await storage.start();
    freeBytes = FREE_FLOOR_BYTES + 50;
    expect(await storage.reserve(100)).toBeDefined();
    expect(removedRows).toEqual([0]);
    freeBytes = 0;
    expect(await storage.reserve(100)).toBeUndefined();
    expect(stored).toEqual([]);
  });

  it('is not there where the disk fails, which is told and leaves no place taken', async () => {
    diskError = new Error('EIO');
    expect(await storage.reserve(500)).toBeUndefined();
    expect(faults).toEqual(['a file of an event could not be stored']);
    diskError = undefined;
    expect(storage.usedBytes).toBe(0);
    expect(await storage.reserve(MAXIMUM)).toBeDefined();
  });

  it('is given back by files that no row names', async () => {
    await storage.removeUnknown(5);
    expect(removed).toEqual(['unknown']);
  });
});
