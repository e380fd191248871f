// Geofences as members edit them, and their copies in terminals.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { AreaSync, type AreaSyncDeps } from '../../device/areas/areaSync.ts';
import { inBackground } from '../../faults/background.ts';
import type { FenceDeps } from '../../http/fences/fenceDeps.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';

export interface FenceAdmin {
  /** The dependencies of API calls. */
  readonly forCalls: Pick<FenceDeps, 'areaSync' | 'fencesChanged'>;
  /** Records of these kinds were edited by a call. */
  tellChanged(kinds: readonly RecordKind[]): void;
}

interface FenceAdminDeps extends Pick<AreaSyncDeps, 'orders' | 'registry'> {
  readonly stores: Pick<Stores, 'fences' | 'terminalAreas'>;
  /** Called with each member group whose geofences have changed, for pages and everything else that depends on them. */
  readonly onChanged: (memberGroup: number) => void;
  readonly log: Log;
  readonly closing: Closing;
}

/** The records that decide which terminals may have a geofence. */
const REACH_RECORDS: ReadonlySet<RecordKind> = new Set(['device', 'group', 'membergroup']);

/** Runs before the orders start, which then report the outcome of those of an earlier run. */
export async function startFenceAdmin(deps: FenceAdminDeps): Promise<FenceAdmin> {
  const { stores, orders, registry, onChanged, log, closing } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'geofences in terminals');
  const { terminalAreas: store, fences } = stores;
  const areaSync = new AreaSync({ store, fences, orders, registry, now: Date.now, onFault });
  closing.add('geofences in terminals', async () => areaSync.close());
  await areaSync.start();
  const removeStrays = (): void => {
    inBackground('geofences could not be removed from terminals', areaSync.removeStrays(), onFault);
  };
  removeStrays();
  return {
    forCalls: {
      areaSync,
      fencesChanged: (memberGroup) => {
        onChanged(memberGroup);
        removeStrays();
      },
    },
    tellChanged: (kinds) => {
      if (kinds.some((kind) => REACH_RECORDS.has(kind))) removeStrays();
    },
  };
}
