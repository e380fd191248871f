// Geofences as members edit them, and their copies in terminals.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { type ChangeBus, followRecords } from '../../bus/changeBus.ts';
import { AreaSync, type AreaSyncDeps } from '../../device/areas/areaSync.ts';
import { inBackground } from '../../faults/background.ts';
import type { FenceDeps } from '../../http/fences/fenceDeps.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';

export interface FenceAdmin {
  /** The dependencies of API calls. */
  readonly forCalls: Pick<FenceDeps, 'areaSync'>;
}

interface FenceAdminDeps extends Pick<AreaSyncDeps, 'orders' | 'registry'> {
  readonly stores: Pick<Stores, 'fences' | 'terminalAreas'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'listChanged'>;
  readonly log: Log;
  readonly closing: Closing;
}

/** The records that decide which terminals may have a geofence. */
const REACH_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

/** Runs before the orders start, which then report the outcome of those of an earlier run. */
export async function startFenceAdmin(deps: FenceAdminDeps): Promise<FenceAdmin> {
  const { stores, orders, registry, bus, log, closing } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'geofences in terminals');
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
