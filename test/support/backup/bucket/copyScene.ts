// A worker that copies files into the stand-in of a bucket, with waits that are over at once.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Bucket, type BucketAddress } from '../../../../server/backup/copy/bucket/bucket.ts';
import { BUCKET_TIMES, type BucketTimes } from '../../../../server/backup/copy/bucket/bucketRequest.ts';
import { createCopyOrders } from '../../../../server/backup/copy/copyOrders.ts';
import { type CopyFailure, CopyWorker } from '../../../../server/backup/copy/copyWorker.ts';
import { CopyRemovals } from '../../../../server/backup/copy/removals.ts';
import { BackupFolder } from '../../../../server/backup/runner/backupFolder.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { createTempFolder } from '../../tempFolder.ts';
import { fakeBackupStore } from '../fakeBackupStore.ts';
import { fakeSettings } from '../fakeSettings.ts';
import type { StandInBucket } from './standInBucket.ts';

interface CopySceneChanges {
  readonly address?: Partial<BucketAddress>;
  readonly times?: Partial<BucketTimes>;
  /** When requests are signed. */
  readonly now?: () => number;
  readonly onLimit?: OnLimit;
  readonly isAlone?: () => Promise<boolean>;
}

const ARCHIVE = { rows: 1, schemaVersion: 1 };
const CONTENTS = { history: [], files: [], encryption: 'none', sealedKey: '' } as const;

export async function openCopyScene(standIn: StandInBucket, changes: CopySceneChanges = {}) {
  const root = await createTempFolder();
  onTestFinished(root.remove);
  const path = join(root.path, 'backups');
  const folder = new BackupFolder({ path, isOwn: false, testPath: join(root.path, 'backup-tests') });
  await mkdir(path);
  const store = fakeBackupStore();
  const { settings } = fakeSettings();
  const limits: string[] = [];
  const failures: CopyFailure[] = [];
  const faults: string[] = [];
  const pauses: number[] = [];
  const clock = { ms: 0 };
  const onLimit: OnLimit = changes.onLimit ?? (({ name }) => void limits.push(name));
  const onFault = (error: Error): void => void faults.push(error.message);
  const removals = new CopyRemovals({ settings, onLimit });
  const bucket = new Bucket({
    address: { ...standIn.address, ...changes.address },
    now: changes.now ?? Date.now,
    times: { ...BUCKET_TIMES, ...changes.times },
    ...{ onLimit, onFault },
  });
  const openWorker = () =>
    new CopyWorker({
      ...{ store, removals, bucket, folder, onLimit, onFault },
      isAlone: changes.isAlone ?? (async () => true),
      pause: async (delayMs) => void pauses.push(delayMs),
      monotonicMs: () => clock.ms,
      onChanged: () => undefined,
      onFailure: (failure) => void failures.push(failure),
    });
  const worker = openWorker();
  let count = 0;
  return {
    ...{ store, settings, removals, bucket, folder, limits, failures, faults, pauses, clock, worker, openWorker, path },
    orders: createCopyOrders({
      ...{ store, removals, hasBucket: true },
      worker: { drop: (file) => worker.drop(file), workSoon: () => undefined },
    }),
    /** A backup that is done; later ones are newer. */
    addBackup: async (bytes = 1_000) => {
      const body = randomBytes(bytes);
      const atMs = Date.UTC(2026, 10, 27) + ++count * 1_000;
      const file = folder.newName(atMs);
      await writeFile(folder.pathOf(file), body);
      const made = { madeBy: '', isManual: false, isUploaded: false, note: '', productVersion: '1', engine: 'sqlite' };
      const { id } = await store.insert({ file, atMs, ...made, ...CONTENTS });
      const sha256 = createHash('sha256').update(body).digest('hex');
      const archive = { ...ARCHIVE, bytes, sha256 };
      await store.end(id, { state: 'done', fault: '', detail: '', atMs, archive });
      return { id, file, body, sha256 };
    },
    copyOf: async (id: number) => {
      const backup = await store.find(id);
      return [backup?.copyState, backup?.copyFault];
    },
  };
}
