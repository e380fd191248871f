// Large files that members hand in.

import { randomBytes } from 'node:crypto';
import type { Config } from '../config/variables.ts';
import { createRunAfter } from '../faults/timers.ts';
import { installationPath } from '../installation.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { Stores } from '../store/stores.ts';
import { UploadFiles } from '../uploads/uploadFiles.ts';
import { Uploads } from '../uploads/uploads.ts';

export interface UploadPartDeps {
  readonly stores: Pick<Stores, 'uploads'>;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

export async function startUploads(
  config: Pick<Config, 'dataDir' | 'uploadMaxMb'>,
  { stores, log, closing, onLimit }: UploadPartDeps,
): Promise<Uploads> {
  const onFault = (error: Error): void => log.error({ err: error }, 'uploads');
  const uploads = new Uploads({
    store: stores.uploads,
    files: new UploadFiles(installationPath(config, 'uploads')),
    createId: () => randomBytes(16).toString('hex'),
    maxBytes: config.uploadMaxMb * 1024 * 1024,
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onLimit,
    onFault,
  });
  closing.add('uploads', async () => uploads.close());
  await uploads.start();
  return uploads;
}
