import type { Fence } from '../../../shared/protocol/api/fences/fences.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { AreaSync } from '../../device/areas/areaSync.ts';
import type { FenceRefusal } from '../../fences/acts/fences.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoredFence } from '../../store/fences/fences.ts';
import type { Stores } from '../../store/stores.ts';
import type { ImportReader } from '../imports/importReader.ts';
import type { Refusal } from '../kernel/envelope.ts';
import { recordRefusal } from '../kernel/records/recordRoutes.ts';
import { toFence } from './fenceRows.ts';

export interface FenceDeps {
  readonly stores: Pick<Stores, 'fences' | 'fenceReach'>;
  readonly areaSync: Pick<AreaSync, 'put' | 'remove' | 'ask' | 'ofFence' | 'isOnline'>;
  readonly bus: Pick<ChangeBus, 'listChanged' | 'recordsChanged'>;
  readonly importReader: ImportReader;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

export const MAY_CONFIGURE_FENCES = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Fence] },
} as const;

/**
 * Size of a geofence that is added, changed or previewed: an outline of 5,000 vertices, which is more than a geofence may have, so that it
 * is refused with its reason. The answer is 413.
 */
export const FENCE_BYTES_LIMIT: Limit = { name: 'http.fence.bytes', max: 256 * 1024 };

export const NO_FENCE: Refusal = {
  status: 404,
  code: 'no-such-fence',
  message: "Geofence not found, or you don't have access to it.",
};

const TOO_MANY_FENCES: Refusal = {
  status: 409,
  code: 'too-many-fences',
  message: "You've reached the limit of geofences. Delete some that aren't needed first.",
};

const TOO_MANY_FENCE_VERTICES: Refusal = {
  status: 409,
  code: 'too-many-fence-vertices',
  message: 'Your geofences have too many vertices in all. Simplify or delete some first.',
};

export function refusalOfFence(refused: FenceRefusal): Refusal {
  const shown = refused.kind === 'conflict' ? { ...refused, current: shownNow(refused.current) } : refused;
  const refusals = { gone: NO_FENCE, tooMany: TOO_MANY_FENCES, 'too-many-vertices': TOO_MANY_FENCE_VERTICES };
  return recordRefusal(shown, refusals);
}

function shownNow(current: StoredFence | undefined): Fence | null {
  return current === undefined ? null : toFence(current);
}
