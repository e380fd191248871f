import type { StoreDb } from '../engine/database.ts';
import { createFenceMovementStore } from './fenceMovements.ts';
import { createFencePlaceStore } from './fencePlaces.ts';
import { createFenceSourceStore } from './fenceSource.ts';

export type FenceStores = Readonly<ReturnType<typeof createFenceStores>>;

export function createFenceStores(db: StoreDb) {
  return {
    fenceMovements: createFenceMovementStore(db),
    fencePlaces: createFencePlaceStore(db),
    fenceSource: createFenceSourceStore(db),
  };
}
