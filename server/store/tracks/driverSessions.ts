// Cards in the readers of devices (0x0702), and the drivers' names of trips that follow from them.
import type { StoreDb } from '../engine/database.ts';
import { nameTripsIn } from './tripDrivers.ts';

interface DriverCardIn {
  readonly incarnation: number;
  readonly atMs: number;
  /** '' where the card could not be read. */
  readonly name: string;
  readonly licence: string;
  readonly issuer: string;
  readonly validUntil: string;
  readonly readResult: number;
}

export interface DriverSessionStore {
  /** In any order: what is reported late has its own time. A card that was in is out by then. */
  cardIn(card: DriverCardIn): Promise<void>;
  cardOut(incarnation: number, atMs: number): Promise<void>;
}

const FOREVER_MS = 8.64e15;

export function createDriverSessionStore(db: StoreDb): DriverSessionStore {
  return {
    cardIn: (card) => db.transaction().execute((work) => cardIn(work, card)),
    cardOut: (incarnation, atMs) =>
      db.transaction().execute(async (work) => {
        const before = await sessionAt(work, incarnation, atMs);
        if (before === undefined) return;
        await work.updateTable('driver_session').set({ out_ms: atMs }).where('id', '=', before.id).execute();
        await nameTripsIn(work, incarnation, { fromMs: before.inMs, toMs: FOREVER_MS });
      }),
  };
}

async function cardIn(work: StoreDb, card: DriverCardIn): Promise<void> {
  const { incarnation, atMs } = card;
  const ofDevice = work.selectFrom('driver_session').where('incarnation', '=', incarnation);
  const same = ofDevice.select('id').where('in_ms', '=', atMs).where('name', '=', card.name);
  // A terminal repeats what it did not hear was kept.
  if ((await same.where('licence', '=', card.licence).executeTakeFirst()) !== undefined) return;
  const before = await sessionAt(work, incarnation, atMs);
  if (before !== undefined) {
    await work.updateTable('driver_session').set({ out_ms: atMs }).where('id', '=', before.id).execute();
  }
  const next = await ofDevice.select('in_ms as inMs').where('in_ms', '>', atMs).orderBy('in_ms').executeTakeFirst();
  await work
    .insertInto('driver_session')
    .values({
      incarnation,
      name: card.name,
      licence: card.licence,
      issuer: card.issuer,
      valid_until: card.validUntil,
      in_ms: atMs,
      // When that one was said to be out, it was this one.
      out_ms: before === undefined || before.outMs === 0 ? (next?.inMs ?? 0) : before.outMs,
      read_result: card.readResult,
    })
    .execute();
  await nameTripsIn(work, incarnation, { fromMs: before?.inMs ?? atMs, toMs: FOREVER_MS });
}

/** The one that was in at a moment. */
async function sessionAt(work: StoreDb, incarnation: number, atMs: number) {
  return await work
    .selectFrom('driver_session')
    .select(['id', 'in_ms as inMs', 'out_ms as outMs'])
    .where('incarnation', '=', incarnation)
    .where('in_ms', '<=', atMs)
    .where(({ or, eb }) => or([eb('out_ms', '=', 0), eb('out_ms', '>', atMs)]))
    .orderBy('in_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
}
