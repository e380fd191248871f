import type { StoreDb } from '../engine/database.ts';
import { createTrackSummaryStore, type TrackSummaryStore } from './trackSummary.ts';

export interface TrackReadStores {
  readonly trackSummary: TrackSummaryStore;
}

export function createTrackReadStores(db: StoreDb, reading: StoreDb): TrackReadStores {
  return { trackSummary: createTrackSummaryStore(db, reading) };
}
