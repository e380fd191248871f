import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createNotifySenderStore } from './notifySenders.ts';
import { createPushSubscriptionStore } from './pushSubscriptions.ts';

export type NotifyStores = Readonly<ReturnType<typeof createNotifyStores>>;

export function createNotifyStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    notifySenders: createNotifySenderStore(db, reading, onLimit),
    pushSubscriptions: createPushSubscriptionStore(db, onLimit),
  };
}
