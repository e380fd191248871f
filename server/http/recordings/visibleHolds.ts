// Which evidence a caller sees: that of devices of the current member group, and of those that it owned when they were deleted.
import { isAdministrator } from '../../auth/membershipRules.ts';
import type { ArchiveStore } from '../../store/recordings/archives.ts';
import type { EvidenceHold } from '../../store/recordings/evidenceHolds.ts';
import type { Caller } from '../kernel/recognise.ts';
import { archiveViewerOf } from './archiveViewer.ts';

export interface VisibleHold {
  readonly hold: EvidenceHold;
  /** Its device was deleted; another one may have its id by now. */
  readonly isOfFormerDevice: boolean;
}

/** Administrators may release what nobody owns any more: otherwise it would stay forever. */
export async function visibleHolds(
  archives: Pick<ArchiveStore, 'ownerships'>,
  caller: Caller,
  holds: readonly EvidenceHold[],
): Promise<VisibleHold[]> {
  const archiveIds = [...new Set(holds.map(({ archiveId }) => archiveId))];
  const ownerships = await archives.ownerships(archiveIds, archiveViewerOf(caller));
  return holds.flatMap((hold) => {
    const ownership = ownerships.get(hold.archiveId);
    if (ownership === undefined || (ownership === 'ownerless' && !isAdministrator(caller.user))) return [];
    return [{ hold, isOfFormerDevice: ownership !== 'device' }];
  });
}
