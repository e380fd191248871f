import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createDigestEventStore } from './digestEvents.ts';
import { createNotifyTemplateStore } from './notifyTemplates.ts';

export type NotifyStores = Readonly<ReturnType<typeof createNotifyStores>>;

export function createNotifyStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    digestEvents: createDigestEventStore(db, onLimit),
    notifyTemplates: createNotifyTemplateStore(db, reading, onLimit),
  };
}
