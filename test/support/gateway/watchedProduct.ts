// The built product with three vehicles and the links that open their video, for files that need no product of their own.
import { rmSync } from 'node:fs';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { addWatchedVehicles } from '../browser/watcher.ts';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { type Product, startProduct } from './product.ts';

export const VEHICLE: VehicleProfile = {
  deviceId: 'DEV1',
  name: 'Device 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 4,
  lapShare: 0,
};
export const OTHER: VehicleProfile = { ...VEHICLE, deviceId: 'DEV2', number: '13800000002', edition: '2013' };
export const EIGHT_CHANNELS: VehicleProfile = { ...VEHICLE, deviceId: 'DEV8', number: '13800000008', channels: 8 };

export interface WatchedProduct {
  readonly product: Product;
  /** `username/credential` of a link to the vehicle's live view and its own recordings. */
  credentialOf(vehicle: VehicleProfile): string;
}

let shared: Promise<WatchedProduct> | undefined;

/** The one of this worker: nobody stops it, and who kills it starts it again. */
export function sharedWatchedProduct(): Promise<WatchedProduct> {
  shared ??= startWatchedProduct();
  return shared;
}

async function startWatchedProduct(): Promise<WatchedProduct> {
  const credentials = new Map<string, string>();
  const product = await startProduct(async (stores) => {
    for (const link of await addWatchedVehicles(stores, [VEHICLE, OTHER, EIGHT_CHANNELS], ['live', 'remote'])) {
      const [deviceId = '', ...credential] = link.split('/');
      credentials.set(deviceId, credential.join('/'));
    }
  });
  atWorkerEnd(() => {
    process.kill(product.processId(), 'SIGKILL');
    rmSync(product.dataDir, { recursive: true, force: true });
  });
  return { product, credentialOf: ({ deviceId }) => credentials.get(deviceId) ?? '' };
}
