import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createFenceMovementStore } from './fenceMovements.ts';
import { createFencePlaceStore } from './fencePlaces.ts';
import { createFenceReachStore } from './fenceReach.ts';
import { createFenceStore } from './fences.ts';
import { createTerminalAreaStore } from './terminalAreas.ts';

export type FenceStores = Readonly<ReturnType<typeof createFenceStores>>;

export function createFenceStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    fences: createFenceStore(db, reading, onLimit),
    fenceMovements: createFenceMovementStore(db),
    fencePlaces: createFencePlaceStore(db),
    fenceReach: createFenceReachStore(reading),
    terminalAreas: createTerminalAreaStore(db),
  };
}
