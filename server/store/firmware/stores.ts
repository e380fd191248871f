import type { StoreDb } from '../engine/database.ts';

export type FirmwareStores = Readonly<ReturnType<typeof createFirmwareStores>>;

export function createFirmwareStores(_db: StoreDb, _reading: StoreDb) {
  return {};
}
