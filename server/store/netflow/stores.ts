import type { StoreDb } from '../engine/database.ts';

export type NetflowStores = Readonly<ReturnType<typeof createNetflowStores>>;

export function createNetflowStores(_db: StoreDb, _reading: StoreDb) {
  return {};
}
