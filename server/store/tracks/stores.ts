import type { StoreDb } from '../engine/database.ts';
import { createDriverSessionStore } from './driverSessions.ts';
import { createPassengerCountStore } from './passengerCounts.ts';
import { createTrackStore } from './tracks.ts';

export type TrackStores = Readonly<ReturnType<typeof createTrackStores>>;

export function createTrackStores(db: StoreDb) {
  return {
    tracks: createTrackStore(db),
    driverSessions: createDriverSessionStore(db),
    passengerCounts: createPassengerCountStore(db),
  };
}
