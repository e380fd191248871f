// Firmware images: their files, and the addresses by which terminals download them.

import { Gauge } from 'prom-client';
import { inBackground } from '../../faults/background.ts';
import { FirmwareImages } from '../../firmware/images/firmwareImages.ts';
import { imageBaseUrl } from '../../firmware/images/imageAddress.ts';
import { ImageFiles } from '../../firmware/images/imageFiles.ts';
import { ImageLinkTable } from '../../firmware/images/imageLinkTable.ts';
import type { AppDeps } from '../../http/app.ts';
import { installationPath } from '../../installation.ts';
import type { Uploads } from '../../uploads/uploads.ts';
import { type Context, toolsOf } from '../context.ts';

/** How terminals reach the gateway's web server. */
export interface DownloadPort {
  /** Port where the gateway listens for browsers; read when an address is given out. */
  readonly webPort: () => number;
  readonly isTls: boolean;
}

export interface FirmwareImagePart {
  /** The dependencies of API calls. */
  readonly forCalls: Pick<AppDeps, 'uploads' | 'firmwareImages' | 'terminalDownloads'>;
  /** `verifiedFile` before each task. */
  readonly images: FirmwareImages;
  readonly links: ImageLinkTable;
}

export async function startFirmwareImages(
  context: Context,
  uploads: Uploads,
  { webPort, isTls }: DownloadPort,
): Promise<FirmwareImagePart> {
  const { config, stores, bus, metrics, closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'firmware images');
  const files = new ImageFiles(installationPath(config, 'firmware'));
  const images = new FirmwareImages({ store: stores.firmwareImages, files, uploads, now: Date.now });
  await images.start();
  bus.recordsChanged.subscribe('firmware images', ({ kinds, memberGroup }) => {
    if (kinds.includes('firmwaremodel')) bus.listChanged.tell({ list: 'firmware', memberGroup });
    // A member group may be gone, and its images with it.
    if (kinds.includes('membergroup')) {
      inBackground('files of deleted images could not be removed', images.removeUnnamed(), onFault);
    }
  });
  const { firmwareUrl, publicHost } = config;
  const links = new ImageLinkTable({
    baseUrl: (localAddress) => imageBaseUrl({ firmwareUrl, publicHost, isTls, port: webPort() }, localAddress),
    now: Date.now,
    runAfter,
    onLimit,
  });
  closing.add('firmware downloads', async () => links.close());
  new Gauge({
    name: 'fleetglass_firmware_downloads',
    help: 'Firmware images that are being sent to terminals by HTTP',
    registers: [metrics],
    collect() {
      this.set(links.size);
    },
  });
  return {
    forCalls: { uploads, firmwareImages: images, terminalDownloads: links },
    images,
    links,
  };
}
