import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredUpload } from '../../../../server/store/firmware/uploads.ts';
import { UPLOAD_LIFETIME_MS } from '../../../../server/uploads/uploadRules.ts';
import { Uploads } from '../../../../server/uploads/uploads.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';

const FILE = { purpose: 'firmware', bytes: 10, sha256: 'b'.repeat(64) } as const;
const [ANN, BOB] = [1, 2];

describe('uploads', () => {
  let rows: Map<string, StoredUpload>;
  let files: Map<string, number>;
  let timers: ManualTimers;
  let uploads: Uploads;
  const maxBytes = 25;

  beforeEach(() => {
    [rows, files, timers] = [new Map(), new Map(), new ManualTimers()];
    let ids = 0;
    uploads = new Uploads({
      store: {
        all: async () => [...rows.values()],
        find: async (id) => rows.get(id),
        add: async (row) => void rows.set(row.id, row),
        remove: async (id) => void rows.delete(id),
      },
      files: {
        start: async () => undefined,
        create: async (id) => void files.set(id, 0),
        size: async (id) => files.get(id),
        append: async (id, at, bytes) => void files.set(id, at + bytes.length),
        remove: async (id) => void files.delete(id),
        ids: async () => [...files.keys()],
        freeBytes: async () => Number.MAX_SAFE_INTEGER,
        pathOf: (id) => id,
      },
      createId: () => `upload ${++ids}`,
      maxBytes,
      now: timers.now,
      runAfter: timers.runAfter,
      onLimit: () => undefined,
      onFault: noFaults,
    });
  });

  const begin = async (change: object = {}, userId = ANN) => {
    const begun = await uploads.begin({ ...FILE, ...change }, userId);
    return begun.ok ? begun.value : undefined;
  };

  it('of the same file go on', async () => {
    const first = await begin();
    await uploads.part({ id: first?.id ?? '', userId: ANN, offset: 0, bytes: new Uint8Array(4) });
    expect(await begin()).toEqual({ ...first, receivedBytes: 4 });
    expect(rows.size).toBe(1);
  });

  it.each([
    ['another purpose', { purpose: 'backup' }, ANN],
    ['another length', { bytes: 11 }, ANN],
    ['another content', { sha256: 'c'.repeat(64) }, ANN],
    ['another user', {}, BOB],
  ])('of %s are uploads of their own', async (_name, change, userId) => {
    const first = await begin();
    expect((await begin(change, userId))?.id).not.toBe(first?.id);
  });

  it('of others that were announced and never sent keep nobody out; a part that finds no room is refused', async () => {
    for (const sha256 of ['1', '2', '3'])
      expect(await begin({ bytes: 25, sha256: sha256.repeat(64) }, BOB)).toBeDefined();
    const [first, second] = [await begin({ bytes: 20 }), await begin({ bytes: 20, sha256: 'c'.repeat(64) })];
    const part = (upload: typeof first, bytes: number) =>
      uploads.part({ id: upload?.id ?? '', userId: ANN, offset: 0, bytes: new Uint8Array(bytes) });
    expect(await part(first, 20)).toMatchObject({ ok: true });
    expect(await part(second, 6)).toEqual({ ok: false, reason: 'full' });
    expect(await part(second, 5)).toMatchObject({ ok: true, value: { receivedBytes: 5 } });
    expect(await begin({ sha256: 'd'.repeat(64) })).toBeUndefined();
  });

  it('end after a day, and are removed soon after that', async () => {
    await uploads.start();
    const first = await begin();
    timers.advance(UPLOAD_LIFETIME_MS - 1);
    expect(await uploads.state(first?.id ?? '', ANN)).toBeDefined();
    timers.advance(1);
    expect(await uploads.state(first?.id ?? '', ANN)).toBeUndefined();
    const second = await begin();
    expect(second?.id).not.toBe(first?.id);
    timers.advance(600_000);
    await waitFor('the sweep', () => files.size === 1);
    expect([[...rows.keys()], [...files.keys()]]).toEqual([[second?.id], [second?.id]]);
    uploads.close();
  });

  it('leave neither files without a row nor rows without a file at the start', async () => {
    const kept = await begin();
    const fileless = await begin({ bytes: 11 });
    files.delete(fileless?.id ?? '');
    files.set('orphan', 3);
    await uploads.start();
    expect([[...rows.keys()], [...files.keys()]]).toEqual([[kept?.id], [kept?.id]]);
    uploads.close();
  });
});
