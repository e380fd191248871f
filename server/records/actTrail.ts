// What a use case leaves behind once its change is stored, where the store writes no audit entry of its own.
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import type { AuditEntry } from '../store/audit/auditEntry.ts';
import { changedFields } from './changedFields.ts';
import type { Actor } from './recordActs.ts';

export interface ActTrailDeps {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => WallMs;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
}

/** With both `before` and `after`, the entry keeps the fields that differ. */
type ActEntry = Omit<AuditEntry, 'actor' | 'address'>;

/** Writes the audit entry and then tells of records of these kinds. Settles once all followers have acted. */
export function createActTrail(
  kinds: readonly RecordKind[],
  { audit, now, bus }: ActTrailDeps,
): (actor: Actor, entry: ActEntry) => Promise<void> {
  return async ({ username, address, memberGroup }, entry) => {
    const { before, after } = entry;
    const sides = before === undefined || after === undefined ? {} : changedFields(before, after);
    await audit.add({ actor: username, address, ...entry, ...sides }, now());
    await bus.recordsChanged.publish({ kinds, memberGroup });
  };
}
