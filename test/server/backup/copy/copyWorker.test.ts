// Copies in a bucket that checks signatures, and fails in the ways that services do.
import { rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openCopyScene } from '../../../support/backup/bucket/copyScene.ts';
import { type Misbehavior, openStandInBucket, type SeenCall } from '../../../support/backup/bucket/standInBucket.ts';

const MEBIBYTE = 1024 * 1024;

async function open(changes: Parameters<typeof openCopyScene>[1] = {}) {
  const standIn = await openStandInBucket();
  return { standIn, ...(await openCopyScene(standIn, changes)) };
}

/** Fails so often, then no more. */
function times(count: number, call: SeenCall['call'], how: Misbehavior) {
  let left = count;
  return (seen: SeenCall): Misbehavior | undefined => (seen.call === call && left-- > 0 ? how : undefined);
}

describe('a copy', () => {
  it('has the bytes of the backup, also of one in several parts, two of which are on their way at most', async () => {
    const { standIn, orders, worker, addBackup, copyOf, faults } = await open({ address: { prefix: 'fleet/north' } });
    const { id, file, body, sha256 } = await addBackup(33 * MEBIBYTE + 1);
    await orders.want(id);
    await worker.work();
    const object = standIn.objects.get(`fleet/north/${file}`);
    expect(object?.body.equals(body)).toBe(true);
    expect(object?.sha256).toBe(sha256);
    expect(await copyOf(id)).toEqual(['done', '']);
    expect([standIn.calls('UploadPart'), standIn.uploads.size, standIn.complaints, faults]).toEqual([3, 0, [], []]);
    expect(standIn.mostParts).toBeLessThanOrEqual(2);
  });

  it('is made of the newest first, and once', async () => {
    const { standIn, orders, worker, addBackup, store } = await open();
    const older = await addBackup();
    const newer = await addBackup();
    await orders.want(older.id);
    await orders.want(newer.id);
    await worker.work();
    expect([...standIn.objects.keys()]).toEqual([newer.file, older.file]);
    await orders.want(older.id);
    await worker.work();
    expect(standIn.calls('CreateMultipartUpload')).toBe(2);
    expect((await store.list()).map(({ copyState }) => copyState)).toEqual(['done', 'done']);
  });

  it('is noted, and not sent again, if the gateway ended between the last answer and the note', async () => {
    const { standIn, orders, worker, addBackup, copyOf } = await open();
    const { id, file, body, sha256 } = await addBackup();
    standIn.objects.set(file, { body, sha256 });
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect(standIn.calls('CreateMultipartUpload')).toBe(0);
  });

  it.each<readonly [SeenCall['call'], Misbehavior]>([
    ['UploadPart', 500],
    ['UploadPart', 'cut'],
    ['CreateMultipartUpload', 503],
    ['CompleteMultipartUpload', 'late-error'],
    ['HeadObject', 429],
  ])('is made although %s fails once with %s', async (call, how) => {
    const { standIn, orders, worker, addBackup, copyOf, pauses } = await open();
    standIn.misbehave = times(1, call, how);
    const { id, file, body } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect(standIn.objects.get(file)?.body.equals(body)).toBe(true);
    expect(pauses).toEqual([1_000]);
  });

  it('waits while the service fails, longer each time, and is made when it works again', async () => {
    const { standIn, orders, worker, addBackup, copyOf, pauses, clock, failures } = await open();
    standIn.misbehave = ({ call }) => (call === 'UploadPart' ? 500 : undefined);
    const { id } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(pauses).toEqual([1_000, 5_000, 25_000]);
    expect(await copyOf(id)).toEqual(['waiting', 'copy-unreachable']);
    // Nothing of it stays there.
    expect([standIn.uploads.size, standIn.objects.size]).toEqual([0, 0]);
    expect(failures).toMatchObject([{ does: 'copy', fault: 'copy-unreachable', detail: '500 InternalError' }]);
    const seen = standIn.seen.length;
    clock.ms += 59_999;
    await worker.work();
    expect(standIn.seen).toHaveLength(seen);
    clock.ms += 1;
    await worker.work();
    expect(standIn.seen.length).toBeGreaterThan(seen);
    standIn.misbehave = () => undefined;
    clock.ms += 119_999;
    await worker.work();
    expect(await copyOf(id)).toEqual(['waiting', 'copy-unreachable']);
    clock.ms += 1;
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
  });

  it.each<readonly [string, Parameters<typeof openCopyScene>[1]]>([
    ['a wrong secret key', { address: { secretKey: 'another' } }],
    ['a wrong access key', { address: { accessKey: 'another' } }],
    ['another region', { address: { region: 'eu-south-1' } }],
    ['another bucket', { address: { bucket: 'others' } }],
    ['a clock that is wrong by an hour', { now: () => Date.now() - 3_600_000 }],
  ])('is refused for %s, and not tried again', async (_, changes) => {
    const { standIn, orders, worker, addBackup, copyOf, pauses, failures } = await open(changes);
    const { id } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['failed', 'copy-refused']);
    expect([standIn.objects.size, standIn.uploads.size, pauses]).toEqual([0, 0, []]);
    for (const secret of [standIn.address.secretKey, standIn.address.accessKey])
      expect(JSON.stringify(failures)).not.toContain(secret);
  });

  it('is made with a key that may not read', async () => {
    const { standIn, orders, worker, addBackup, copyOf } = await open();
    standIn.misbehave = ({ call }) => (call === 'HeadObject' ? 403 : undefined);
    const { id, file } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect(standIn.objects.has(file)).toBe(true);
  });

  it('waits for a service that can’t be reached, is silent, or answers without end', async () => {
    const gone = await open({ address: { endpoint: 'http://127.0.0.1:9' } });
    const first = await gone.addBackup();
    await gone.orders.want(first.id);
    await gone.worker.work();
    expect(await gone.copyOf(first.id)).toEqual(['waiting', 'copy-unreachable']);

    const endless = { body: 'x'.repeat(1_000_000) };
    for (const how of ['silent', endless] as const) {
      const { standIn, orders, worker, addBackup, copyOf, limits } = await open(
        how === 'silent' ? { times: { idleMs: 50 } } : {},
      );
      standIn.misbehave = ({ call }) => (call === 'CreateMultipartUpload' ? how : undefined);
      const { id } = await addBackup();
      await orders.want(id);
      await worker.work();
      expect(await copyOf(id)).toEqual(['waiting', 'copy-unreachable']);
      expect(new Set(limits)).toEqual(new Set(how === 'silent' ? [] : ['backup.copy-answer.bytes']));
    }
  });

  it('is not made of a file that has changed, is gone, or whose folder is away', async () => {
    const { standIn, orders, worker, addBackup, copyOf, folder, path, clock, faults } = await open();
    const [changed, gone, away] = [await addBackup(), await addBackup(), await addBackup()];
    await writeFile(folder.pathOf(changed.file), 'not as it was written');
    await rm(folder.pathOf(gone.file));
    await orders.want(changed.id);
    await orders.want(gone.id);
    await worker.work();
    expect(await copyOf(changed.id)).toEqual(['failed', 'damaged']);
    expect(await copyOf(gone.id)).toEqual(['failed', 'file-missing']);
    expect([standIn.objects.size, standIn.uploads.size]).toEqual([0, 0]);

    await orders.want(away.id);
    await rename(path, `${path}-away`);
    await worker.work();
    expect(await copyOf(away.id)).toEqual(['waiting', 'folder-missing']);
    await rename(`${path}-away`, path);
    clock.ms += 60_000;
    await worker.work();
    expect(await copyOf(away.id)).toEqual(['done', '']);
    expect(faults).toEqual([]);
  });
});

describe('a copy that is on its way', () => {
  it('is taken back when the gateway ends, and sent anew at the next start', async () => {
    const { standIn, orders, worker, openWorker, addBackup, copyOf } = await open();
    standIn.misbehave = ({ call }) => {
      if (call === 'UploadPart') worker.close();
      return call === 'UploadPart' ? 'silent' : undefined;
    };
    const { id, file, body } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['waiting', '']);
    expect([standIn.calls('AbortMultipartUpload'), standIn.uploads.size, standIn.objects.size]).toEqual([1, 0, 0]);
    standIn.misbehave = () => undefined;
    await openWorker().work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect(standIn.objects.get(file)?.body.equals(body)).toBe(true);
  });

  it('is taken back at the next attempt after a crash, and no other', async () => {
    const { standIn, orders, worker, addBackup, copyOf, bucket } = await open({ address: { prefix: 'fleet' } });
    const { id, file, sha256 } = await addBackup();
    const { signal } = new AbortController();
    await bucket.begin(file, sha256, signal);
    await bucket.begin(file, sha256, signal);
    await bucket.begin(`${file}.other`, sha256, signal);
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect([...standIn.uploads.values()].map(({ key }) => key)).toEqual([`fleet/${file}.other`]);
  });

  it('takes back nothing that another gateway may be sending', async () => {
    const { standIn, orders, worker, addBackup, copyOf, bucket } = await open({ isAlone: async () => false });
    const { id, file, sha256 } = await addBackup();
    await bucket.begin(file, sha256, new AbortController().signal);
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
    expect([standIn.uploads.size, standIn.calls('AbortMultipartUpload')]).toEqual([1, 0]);
  });

  it('is made with a key that may not list uploads', async () => {
    const { standIn, orders, worker, addBackup, copyOf } = await open();
    standIn.misbehave = ({ call }) => (call === 'ListMultipartUploads' ? 403 : undefined);
    const { id } = await addBackup();
    await orders.want(id);
    await worker.work();
    expect(await copyOf(id)).toEqual(['done', '']);
  });

  it('is taken back when its backup is deleted, and the next is sent', async () => {
    const { standIn, orders, worker, addBackup, copyOf, store } = await open();
    const next = await addBackup();
    const { id, file } = await addBackup();
    await orders.want(next.id);
    await orders.want(id);
    let deleted: Promise<void> | undefined;
    standIn.misbehave = ({ call, key }) => {
      if (call !== 'UploadPart' || key !== file) return undefined;
      deleted = orders.forget({ id, file, copyState: 'waiting' }).then(() => store.remove(id));
      return 'silent';
    };
    await worker.work();
    await deleted;
    expect([standIn.calls('AbortMultipartUpload'), standIn.uploads.size]).toEqual([1, 0]);
    expect([...standIn.objects.keys()]).toEqual([next.file]);
    expect(await copyOf(next.id)).toEqual(['done', '']);
  });
});

describe('the copy of a backup that is deleted', () => {
  it('is deleted too, when the bucket is there again', async () => {
    const { standIn, orders, worker, addBackup, store, removals, clock, failures } = await open();
    const { id, file } = await addBackup();
    await orders.want(id);
    await worker.work();
    standIn.misbehave = ({ call }) => (call === 'DeleteObject' ? 500 : undefined);
    await orders.forget({ id, file, copyState: 'done' });
    // The row is deleted last: until then the copy stays.
    await worker.work();
    expect(standIn.calls('DeleteObject')).toBe(0);
    await store.remove(id);
    await worker.work();
    expect([standIn.objects.size, await removals.list()]).toEqual([1, [file]]);
    expect(failures).toMatchObject([{ file, does: 'delete', fault: 'copy-unreachable' }]);

    // Others are copied meanwhile.
    const other = await addBackup();
    await orders.want(other.id);
    await worker.work();
    expect(standIn.objects.has(other.file)).toBe(true);
    standIn.misbehave = () => undefined;
    clock.ms += 60_000;
    await worker.work();
    expect([...standIn.objects.keys()]).toEqual([other.file]);
    expect(await removals.list()).toEqual([]);
  });

  it('may be gone already', async () => {
    const { removals, worker, standIn } = await open();
    await removals.add('fleetglass-20261127-020000-ab12cd.fgb');
    await worker.work();
    expect([standIn.calls('DeleteObject'), await removals.list()]).toEqual([1, []]);
  });

  it('is none of ours where there was none', async () => {
    const { orders, addBackup, removals } = await open();
    const { id, file } = await addBackup();
    await orders.forget({ id, file, copyState: 'none' });
    expect(await removals.list()).toEqual([]);
  });
});
