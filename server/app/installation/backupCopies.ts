// Copies of backups in an S3-compatible bucket, if the environment names one.
import { Bucket, type BucketAddress } from '../../backup/copy/bucket/bucket.ts';
import { BUCKET_TIMES } from '../../backup/copy/bucket/bucketRequest.ts';
import { type CopyOrders, createCopyOrders } from '../../backup/copy/copyOrders.ts';
import { CopyWorker } from '../../backup/copy/copyWorker.ts';
import { CopyRemovals } from '../../backup/copy/removals.ts';
import type { Pause } from '../../backup/copy/retries.ts';
import type { BackupFolder } from '../../backup/runner/backupFolder.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import { createRunAfter, runAfter } from '../../faults/timers.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';

export interface BackupCopiesDeps {
  readonly stores: Pick<Stores, 'backups' | 'settings'>;
  readonly bus: Pick<ChangeBus, 'listChanged'>;
  readonly folder: BackupFolder;
  readonly isAlone: () => Promise<boolean>;
  readonly now: () => number;
  readonly onLimit: OnLimit;
  readonly log: Log;
  readonly closing: Closing;
}

/** The waits between failures are longer. */
const LOOK_MS = 20_000;

/** Runs before backups are made: their runner gives the orders. */
export async function startBackupCopies(config: Config, deps: BackupCopiesDeps): Promise<CopyOrders> {
  const { stores, log, closing, onLimit } = deps;
  const address = bucketAddress(config);
  const removals = new CopyRemovals({ settings: stores.settings, onLimit });
  await stores.backups.reorderCopies(address !== undefined);
  if (address === undefined) return copyOrdersWhileClosed(config, deps);
  const onFault = (error: Error): void => log.error({ err: error }, 'copies of backups');
  const worker = createWorker(address, removals, { ...deps, onFault });
  const rounds = new Rounds({
    work: () => worker.work(),
    failure: 'copies of backups',
    intervalMs: LOOK_MS,
    delayMs: 0,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('copies of backups', () => {
    worker.close();
    return rounds.close();
  });
  return createCopyOrders({
    ...{ store: stores.backups, removals, hasBucket: true },
    worker: { drop: (file) => worker.drop(file), workSoon: () => rounds.workSoon() },
  });
}

/** Orders for backups that are made or deleted while no gateway runs: the next gateway handles their copies. */
export function copyOrdersWhileClosed(
  config: Config,
  { stores, onLimit }: { readonly stores: Pick<Stores, 'backups' | 'settings'>; readonly onLimit: OnLimit },
): CopyOrders {
  const removals = new CopyRemovals({ settings: stores.settings, onLimit });
  return createCopyOrders({ store: stores.backups, removals, hasBucket: bucketAddress(config) !== undefined });
}

/** Undefined: no copies are wanted. Either all of the variables are set, or none is. */
function bucketAddress(config: Config): BucketAddress | undefined {
  const { backupS3Endpoint: endpoint, backupS3Bucket: bucket, backupS3Region: region, backupS3Prefix: prefix } = config;
  const { backupS3AccessKey: accessKey, backupS3SecretKey: secretKey } = config;
  if (endpoint === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined) {
    return undefined;
  }
  return { endpoint, bucket, region, prefix, accessKey, secretKey };
}

function createWorker(
  address: BucketAddress,
  removals: CopyRemovals,
  { stores, bus, folder, isAlone, now, onLimit, log, onFault }: BackupCopiesDeps & { readonly onFault: OnFault },
): CopyWorker {
  return new CopyWorker({
    ...{ removals, folder, isAlone, onLimit, onFault },
    store: stores.backups,
    bucket: new Bucket({ address, now, times: BUCKET_TIMES, onLimit, onFault }),
    pause: pauseWith(onFault),
    monotonicMs: () => performance.now(),
    onChanged: () => bus.listChanged.tell({ list: 'backups', memberGroup: undefined }),
    onFailure: (failure) => log.warn(failure, 'copies of backups'),
  });
}

function pauseWith(onFault: OnFault): Pause {
  return (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = runAfter(delayMs, end, onFault);
      signal.addEventListener('abort', end);
    });
}
