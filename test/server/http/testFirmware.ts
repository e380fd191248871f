// Uploads, firmware images and the downloads of terminals, as the gateway has them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { FirmwareImages } from '../../../server/firmware/images/firmwareImages.ts';
import { ImageFiles } from '../../../server/firmware/images/imageFiles.ts';
import { ImageLinkTable } from '../../../server/firmware/images/imageLinkTable.ts';
import type { AppDeps } from '../../../server/http/app.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { UploadFiles } from '../../../server/uploads/uploadFiles.ts';
import { Uploads } from '../../../server/uploads/uploads.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';

export interface TestFirmware {
  readonly forCalls: Pick<AppDeps, 'uploads' | 'firmwareImages' | 'terminalDownloads'>;
  readonly uploads: Uploads;
  readonly images: FirmwareImages;
  readonly links: ImageLinkTable;
  readonly timers: ManualTimers;
  /** Folder of the uploaded files. */
  readonly uploadFolder: string;
  readonly imageFolder: string;
}

const MAX_UPLOAD_BYTES = 16 * 1024 ** 3;

export async function createTestFirmware(deps: {
  readonly folder: string;
  readonly stores: Pick<Stores, 'uploads' | 'firmwareImages'>;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}): Promise<TestFirmware> {
  const { folder, stores, now, onLimit } = deps;
  const [uploadFolder, imageFolder] = [join(folder, 'uploads'), join(folder, 'firmware')];
  const timers = new ManualTimers();
  const { runAfter } = timers;
  const onFault = noFaults;
  const files = new UploadFiles(uploadFolder);
  const createId = () => randomBytes(16).toString('hex');
  const timing = { now, runAfter };
  const uploads = new Uploads({
    store: stores.uploads,
    files,
    createId,
    maxBytes: MAX_UPLOAD_BYTES,
    ...timing,
    onLimit,
    onFault,
  });
  await uploads.start();
  const images = new FirmwareImages({ store: stores.firmwareImages, files: new ImageFiles(imageFolder), uploads, now });
  await images.start();
  const links = new ImageLinkTable({ baseUrl: () => 'http://gateway.example/firmware/', ...timing, onLimit });
  const forCalls = { uploads, firmwareImages: images, terminalDownloads: links };
  return { forCalls, uploads, images, links, timers, uploadFolder, imageFolder };
}
