// Large files that members hand in.

import { randomBytes } from 'node:crypto';
import { installationPath } from '../installation.ts';
import { UploadFiles } from '../uploads/uploadFiles.ts';
import { Uploads } from '../uploads/uploads.ts';
import { type Context, toolsOf } from './context.ts';

export async function startUploads(context: Context): Promise<Uploads> {
  const { config, stores, closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'uploads');
  const uploads = new Uploads({
    store: stores.uploads,
    files: new UploadFiles(installationPath(config, 'uploads')),
    createId: () => randomBytes(16).toString('hex'),
    maxBytes: config.uploadMaxMb * 1024 * 1024,
    now: Date.now,
    runAfter,
    onLimit,
    onFault,
  });
  closing.add('uploads', async () => uploads.close());
  await uploads.start();
  return uploads;
}
