import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createDeviceRecordingStore } from './deviceRecordings.ts';
import { createFetchedSegmentStore } from './fetchedSegments.ts';
import { createSyncItemPageStore } from './syncItemPages.ts';
import { createSyncItemStore } from './syncItems.ts';
import { createSyncRuleStore } from './syncRules.ts';
import { createSyncSourceStore } from './syncSources.ts';

export type SyncStores = Readonly<ReturnType<typeof createSyncStores>>;

export function createSyncStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    syncRules: createSyncRuleStore(db, reading, onLimit),
    syncItems: createSyncItemStore(db, reading, onLimit),
    syncItemPages: createSyncItemPageStore(db, reading),
    syncSources: createSyncSourceStore(db, reading),
    fetchedSegments: createFetchedSegmentStore(db),
    listedRecordings: createDeviceRecordingStore(db, reading, onLimit),
  };
}
