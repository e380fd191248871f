import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createNetflowDeviceStore } from './netflowDevices.ts';
import { createNetflowSeriesStore } from './netflowSeries.ts';
import { createNetflowUseStore } from './netflowUse.ts';
import { createSimPlanStore } from './simPlans.ts';
import { createSimStore } from './sims.ts';

export type NetflowStores = Readonly<ReturnType<typeof createNetflowStores>>;

export function createNetflowStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    netflowUse: createNetflowUseStore(db, reading),
    netflowDevices: createNetflowDeviceStore(reading),
    netflowSeries: createNetflowSeriesStore(reading),
    simPlans: createSimPlanStore(db, reading, onLimit),
    sims: createSimStore(db),
  };
}
