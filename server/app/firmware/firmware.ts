// Firmware of a gateway that runs: images and their downloads, the ways to terminals, and tasks.
import type { DeviceRegistry } from '../../device/registry.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { TrafficMeter } from '../../device/usage/trafficMeter.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import { createDelivery } from '../../firmware/delivery/createDelivery.ts';
import type { ImageLinks } from '../../firmware/images/imageLinks.ts';
import { fitsPattern } from '../../firmware/rules/patterns.ts';
import type { ModelOf, TaskImage, TaskImages } from '../../firmware/tasks/taskImage.ts';
import type { FtpLogins } from '../../ftp/ftpLogin.ts';
import type { StoredFirmwareImage } from '../../store/firmware/firmwareImages.ts';
import type { Stores } from '../../store/stores.ts';
import { type Context, toolsOf } from '../context.ts';
import { startUploads } from '../uploads.ts';
import { type DownloadPort, type FirmwareImagePart, startFirmwareImages } from './images.ts';
import { type FirmwareTasks, startFirmwareTasks } from './tasks.ts';

interface FirmwareParts extends DownloadPort {
  readonly registry: DeviceRegistry;
  readonly ftpLogins: FtpLogins;
  readonly meter: TrafficMeter;
  readonly plans: PlanGate;
  readonly isWatched: (deviceId: string) => boolean;
  readonly engine: Pick<EventEngine, 'raise'>;
}

export interface Firmware {
  readonly forCalls: FirmwareImagePart['forCalls'] & FirmwareTasks['forCalls'];
}

export async function startFirmware(context: Context, parts: FirmwareParts): Promise<Firmware> {
  const { stores, closing } = context;
  const { registry, ftpLogins, meter, plans, isWatched, engine } = parts;
  const { runAfter } = toolsOf(context, 'firmware');
  const uploads = await startUploads(context);
  const images = await startFirmwareImages(context, uploads, parts);
  const delivery = createDelivery({
    links: countedLinks(images.links, meter),
    ftpLogins,
    now: Date.now,
    runAfter,
  });
  closing.add('ways of firmware', async () => delivery.close());
  const tasks = await startFirmwareTasks(context, {
    images: taskImages(stores, images),
    modelOf: createModelOf(stores),
    delivery,
    registry,
    plans,
    isWatched,
    events: engine,
  });
  return { forCalls: { ...images.forCalls, ...tasks.forCalls } };
}

function taskImages({ firmwareImages }: Pick<Stores, 'firmwareImages'>, { images }: FirmwareImagePart): TaskImages {
  return {
    find: async (id, memberGroup) => toTaskImage(await firmwareImages.find(id, memberGroup)),
    findForTask: async (id, memberGroup) => toTaskImage(await firmwareImages.findForTask(id, memberGroup)),
    verifiedFile: (image) => images.verifiedFile(image),
  };
}

function toTaskImage(image: StoredFirmwareImage | undefined): TaskImage | undefined {
  return image && { id: image.id, sha256: image.sha256, bytes: image.bytes, ...image.content };
}

function createModelOf({ firmwareModels }: Pick<Stores, 'firmwareModels'>): ModelOf {
  return async (memberGroup, model) => {
    const fitting = (await firmwareModels.ofGroup(memberGroup)).filter(({ pattern }) => fitsPattern(pattern, model));
    return fitting.toSorted((left, right) => right.pattern.length - left.pattern.length)[0];
  };
}

/** Tells of what goes out of images, which are firmware whoever asks for them. */
export function countedLinks(links: ImageLinks, meter: TrafficMeter): ImageLinks {
  return {
    open: (request) =>
      links.open({
        ...request,
        onBytes: (offset, bytes) => {
          meter.note(request.session.incarnation, 'firmware', { receivedBytes: 0, sentBytes: bytes });
          request.onBytes(offset, bytes);
        },
      }),
  };
}
