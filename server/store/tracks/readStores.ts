import type { StoreDb } from '../engine/database.ts';
import { createTrackReading, type TrackReading } from './trackReading.ts';
import { createTrackSummaryStore, type TrackSummaryStore } from './trackSummary.ts';

export interface TrackReadStores {
  readonly trackReading: TrackReading;
  readonly trackSummary: TrackSummaryStore;
}

export function createTrackReadStores(db: StoreDb, reading: StoreDb): TrackReadStores {
  return { trackReading: createTrackReading(reading), trackSummary: createTrackSummaryStore(db, reading) };
}
