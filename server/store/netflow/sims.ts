// The only module that writes the values in `device_sim` that members enter.
import type { SimContent } from '../../../shared/protocol/api/netflow/netflow.ts';
import type { StoreDb } from '../engine/database.ts';

interface SimLift {
  readonly untilMs: number;
  /** Username. */
  readonly by: string;
}

export type StoredSim = Omit<SimContent, 'deviceid'>;

export interface SimStore {
  /** A device without a stored SIM has an empty one with version 0. */
  sim(incarnation: number): Promise<StoredSim>;
  putSim(incarnation: number, content: StoredSim): Promise<boolean>;
  lift(incarnation: number, lift: SimLift): Promise<void>;
}

export function createSimStore(db: StoreDb): SimStore {
  return {
    sim: (incarnation) => findSim(db, incarnation),
    putSim: (incarnation, content) => db.transaction().execute((work) => putSim(work, incarnation, content)),
    lift: async (incarnation, { untilMs, by }) => {
      const values = { lifted_until_ms: untilMs, lifted_by: by };
      const row = db.insertInto('device_sim').values({ incarnation, ...values, version: 0 });
      await row.onConflict((conflict) => conflict.column('incarnation').doUpdateSet(values)).execute();
    },
  };
}

async function findSim(db: StoreDb, incarnation: number): Promise<StoredSim> {
  const row = await db.selectFrom('device_sim').selectAll().where('incarnation', '=', incarnation).executeTakeFirst();
  if (row === undefined) return { number: '', iccid: '', plan: 0, expiryDay: '', version: 0 };
  const { number, iccid, plan, expiry_day: expiryDay, version } = row;
  return { number, iccid, plan: plan ?? 0, expiryDay, version };
}

/** False if the stored version isn't the one that the caller knew. */
async function putSim(work: StoreDb, incarnation: number, content: StoredSim): Promise<boolean> {
  const { number, iccid, plan, expiryDay: expiry_day, version } = content;
  const values = { number, iccid, plan: plan === 0 ? null : plan, expiry_day, version: version + 1 };
  const changed = await work
    .updateTable('device_sim')
    .set(values)
    .where('incarnation', '=', incarnation)
    .where('version', '=', version)
    .executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return true;
  if (version > 0) return false;
  const added = work.insertInto('device_sim').values({ incarnation, ...values });
  const { numInsertedOrUpdatedRows = 0n } = await added
    .onConflict((conflict) => conflict.column('incarnation').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
