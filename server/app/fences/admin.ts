// Geofences as members edit them, and their copies in terminals.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { followRecords } from '../../bus/changeBus.ts';
import { AreaSync, type AreaSyncDeps } from '../../device/areas/areaSync.ts';
import { inBackground } from '../../faults/background.ts';
import type { FenceDeps } from '../../http/fences/fenceDeps.ts';
import { type Context, toolsOf } from '../context.ts';

export interface FenceAdmin {
  /** The dependencies of API calls. */
  readonly forCalls: Pick<FenceDeps, 'areaSync'>;
}

type FenceAdminParts = Pick<AreaSyncDeps, 'orders' | 'registry'>;

/** The records that decide which terminals may have a geofence. */
const REACH_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

/** Runs before the orders start, which then report the outcome of those of an earlier run. */
export async function startFenceAdmin(context: Context, { orders, registry }: FenceAdminParts): Promise<FenceAdmin> {
  const { stores, bus, closing } = context;
  const { onFault } = toolsOf(context, 'geofences in terminals');
  const { terminalAreas: store, fences } = stores;
  const areaSync = new AreaSync({ store, fences, orders, registry, now: Date.now, onFault });
  closing.add('geofences in terminals', async () => areaSync.close());
  await areaSync.start();
  const removeStrays = (): void => {
    inBackground('geofences could not be removed from terminals', areaSync.removeStrays(), onFault);
  };
  removeStrays();
  followRecords(bus, 'geofences in terminals', REACH_RECORDS, removeStrays);
  bus.listChanged.subscribe('geofences in terminals', ({ list }) => {
    if (list === 'fences') removeStrays();
  });
  return { forCalls: { areaSync } };
}
