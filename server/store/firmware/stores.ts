import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createFirmwareDeviceStore } from './firmwareDevices.ts';
import { createFirmwareImageStore } from './firmwareImages.ts';
import { createFirmwareModelStore } from './firmwareModels.ts';
import { createFirmwareReachStore } from './firmwareReach.ts';
import { createFirmwareTaskStore } from './firmwareTasks.ts';
import { createFirmwareVersionStore } from './firmwareVersions.ts';
import { createUploadStore } from './uploads.ts';

export type FirmwareStores = Readonly<ReturnType<typeof createFirmwareStores>>;

export function createFirmwareStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    firmwareTasks: createFirmwareTaskStore(db, reading, onLimit),
    firmwareDevices: createFirmwareDeviceStore(db, reading),
    firmwareReach: createFirmwareReachStore(db, reading),
    uploads: createUploadStore(db),
    firmwareImages: createFirmwareImageStore(db, reading, onLimit),
    firmwareModels: createFirmwareModelStore(db, reading, onLimit),
    firmwareVersions: createFirmwareVersionStore(reading),
  };
}
