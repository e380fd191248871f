import type { StoreDb } from '../engine/database.ts';
import { createOutboxStores } from './outbox/stores.ts';

export type NotifyStores = Readonly<ReturnType<typeof createNotifyStores>>;

export function createNotifyStores(db: StoreDb, reading: StoreDb) {
  return {
    ...createOutboxStores(db, reading),
  };
}
