import type { StoreDb } from '../engine/database.ts';

export type SyncStores = Readonly<ReturnType<typeof createSyncStores>>;

export function createSyncStores(_db: StoreDb, _reading: StoreDb) {
  return {};
}
