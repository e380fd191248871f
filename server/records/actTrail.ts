// What a use case leaves behind once its change is stored, where the store writes no audit entry of its own.
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import { type Actor, auditNote, type NotedChange } from './recordActs.ts';

export interface ActTrailDeps {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => WallMs;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
}

/** Writes the audit entry and then tells of records of these kinds. Settles once all followers have acted. */
export function createActTrail(
  kinds: readonly RecordKind[],
  { audit, now, bus }: ActTrailDeps,
): (actor: Actor, change: NotedChange) => Promise<void> {
  return async (actor, change) => {
    const { entry, at } = auditNote(actor, now(), change);
    await audit.add(entry, at);
    await bus.recordsChanged.publish({ kinds, memberGroup: actor.memberGroup });
  };
}
