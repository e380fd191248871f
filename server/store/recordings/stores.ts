import type { StoreDb } from '../engine/database.ts';
import { createArchiveStore } from './archives.ts';
import { createEventHoldStore } from './eventHolds.ts';
import { createEvidenceHoldStore } from './evidenceHolds.ts';
import { createRecordingPolicyStore } from './recordingPolicies.ts';
import { createSegmentStore } from './segments.ts';

export type RecordingStores = Readonly<ReturnType<typeof createRecordingStores>>;

export function createRecordingStores(db: StoreDb, reading: StoreDb) {
  return {
    archives: createArchiveStore(db),
    eventHolds: createEventHoldStore(db),
    evidenceHolds: createEvidenceHoldStore(db, reading),
    recordingPolicies: createRecordingPolicyStore(db),
    segments: createSegmentStore(db, reading),
  };
}
