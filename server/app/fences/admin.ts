// Fences as members edit them, and what terminals have of them.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { AreaSync, type AreaSyncDeps } from '../../device/areas/areaSync.ts';
import { inBackground } from '../../faults/background.ts';
import type { FenceDeps } from '../../http/fences/fenceDeps.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';

export interface FenceAdmin {
  /** What the calls of the API need of it. */
  readonly forCalls: Pick<FenceDeps, 'areaSync' | 'fencesChanged'>;
  /** Records of these kinds were edited by a call. */
  tellChanged(kinds: readonly RecordKind[]): void;
}

interface FenceAdminDeps extends Pick<AreaSyncDeps, 'orders' | 'registry'> {
  readonly stores: Pick<Stores, 'fences' | 'terminalAreas'>;
  /** Told of each member group whose fences are otherwise than before: pages and whatever else goes by them. */
  readonly onChanged: (memberGroup: number) => void;
  readonly log: Log;
  readonly closing: Closing;
}

/** By which it is decided which terminals may have a fence. */
const REACH_RECORDS: ReadonlySet<RecordKind> = new Set(['device', 'group', 'membergroup']);

/** Before the orders start, which tell then what became of those of an earlier run. */
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
