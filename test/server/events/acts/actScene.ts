// Use cases on a database of their own, with what they tell others and what they leave in the audit log.
import { onTestFinished } from 'vitest';
import { type ChangeBus, createChangeBus } from '../../../../server/bus/changeBus.ts';
import type { Actor } from '../../../../server/records/recordActs.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import { addBuiltIns } from '../../../support/backup/aBackedUpFleet.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

export interface ActScene {
  readonly stores: Stores;
  readonly ann: Actor;
  readonly deps: { readonly bus: ChangeBus; readonly now: () => WallMs };
  /** Ends the next acts while their transaction is open, as a fault of the audit log would. */
  breakAudit(): void;
  /** The kinds of records, and the group that they were told to. */
  readonly told: (readonly [string, number | undefined])[];
  /** Action, target, actor and address of each entry, oldest first. */
  audit(): Promise<readonly (readonly string[])[]>;
}

export async function createActScene(): Promise<ActScene> {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  const stores = createStores(database.db);
  await addBuiltIns(stores);
  const memberGroup = await stores.memberGroups.insert({ name: 'North' });
  const bus = createChangeBus(noFaults);
  const told: (readonly [string, number | undefined])[] = [];
  bus.recordsChanged.subscribe('open pages', ({ kinds, memberGroup: group }) => void told.push([kinds.join(), group]));
  let isBroken = false;
  const now = (): WallMs => {
    if (isBroken) throw new Error('no audit');
    return wallMs(1_000);
  };
  return {
    ...{ stores, told },
    ann: { userId: 7, username: 'ann', permissions: ALL_PERMISSIONS, address: '10.0.0.7', memberGroup },
    deps: { bus, now },
    breakAudit: () => {
      isBroken = true;
    },
    audit: async () => {
      const entries = await stores.audit.list({ limit: 20 });
      return entries.map(({ action, target, actor, address }) => [action, target, actor, address]).reverse();
    },
  };
}
