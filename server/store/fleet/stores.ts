import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { createCameraWallStore } from './cameraWalls.ts';
import { createFleetStore } from './fleet.ts';
import { createOnlineHistoryStore } from './onlineHistory.ts';
import { createPositionPackingStore } from './positionPacking.ts';
import { createPositionStore } from './positions.ts';
import { createPresenceSessionStore } from './presenceSessions.ts';
import { createReportRemovalStore } from './reportRemoval.ts';

export type FleetStores = Readonly<ReturnType<typeof createFleetStores>>;

export interface FleetStoreEvents {
  readonly onLimit: OnLimit | undefined;
  readonly onDamagedBlock: OnDamagedBlock;
}

export function createFleetStores(db: StoreDb, reading: StoreDb, { onLimit, onDamagedBlock }: FleetStoreEvents) {
  return {
    cameraWalls: createCameraWallStore(db, onLimit),
    fleet: createFleetStore(db),
    onlineHistory: createOnlineHistoryStore(db, reading),
    positionPacking: createPositionPackingStore(db, reading, onDamagedBlock),
    positions: createPositionStore(db, reading, onDamagedBlock),
    presenceSessions: createPresenceSessionStore(db, reading),
    reportRemoval: createReportRemovalStore(db, onDamagedBlock),
  };
}
