// Where devices are to fences, and their visits: written in the order in which it happened. Times are the gateway's clock.
import type { StoreDb } from '../engine/database.ts';

export interface FencedVisit {
  readonly fence: number;
  /** As the fence is called. */
  readonly fenceName: string;
  readonly memberGroup: number;
  readonly incarnation: number;
  readonly fromMs: number;
  readonly clockOffsetMs: number;
}

interface OfDevice {
  readonly fence: number;
  readonly incarnation: number;
}

export type FenceMovement =
  /** Where it is, for a gateway that starts again. */
  | (OfDevice & {
      readonly kind: 'state';
      readonly isInside: boolean;
      readonly sinceMs: number;
      readonly deviceSinceMs: number;
    })
  /** It is outside, as everywhere else. */
  | (OfDevice & { readonly kind: 'forget' })
  | (FencedVisit & { readonly kind: 'open' })
  | (OfDevice & { readonly kind: 'close'; readonly toMs: number })
  /** The visit that lasts had begun earlier. */
  | (OfDevice & { readonly kind: 'began'; readonly fromMs: number })
  /** Begun and over. */
  | (FencedVisit & { readonly kind: 'visit'; readonly toMs: number })
  /** Whatever visit was under way then was over by then; without one, it was such a visit. */
  | (FencedVisit & { readonly kind: 'ended'; readonly toMs: number });

export interface StoredFenceState extends OfDevice {
  readonly isInside: boolean;
  readonly sinceMs: number;
  readonly deviceSinceMs: number;
}

export interface FenceMovementStore {
  /** All of it or nothing. What belongs to a fence that is gone is left out; visits that are there already stay as they are. */
  write(movements: readonly FenceMovement[]): Promise<void>;
  states(): Promise<readonly StoredFenceState[]>;
}

export function createFenceMovementStore(db: StoreDb): FenceMovementStore {
  return {
    write: async (movements) => {
      if (movements.length === 0) return;
      await db.transaction().execute(async (work) => {
        for (const movement of movements) await writeOne(work, movement);
      });
    },
    states: async () => {
      const rows = await db.selectFrom('fence_state').selectAll().execute();
      return rows.map((row) => ({
        fence: row.fence,
        incarnation: row.incarnation,
        isInside: row.is_inside === 1,
        sinceMs: row.since_ms,
        deviceSinceMs: row.device_since_ms,
      }));
    },
  };
}

async function writeOne(db: StoreDb, movement: FenceMovement): Promise<void> {
  const { fence, incarnation } = movement;
  switch (movement.kind) {
    case 'state':
      return putState(db, movement);
    case 'forget':
      await db.deleteFrom('fence_state').where('fence', '=', fence).where('incarnation', '=', incarnation).execute();
      return;
    case 'open':
      return openVisit(db, movement);
    case 'close':
      await lasting(db, movement).set({ to_ms: movement.toMs }).execute();
      return;
    case 'began':
      await lasting(db, movement).set({ from_ms: movement.fromMs }).execute();
      return;
    case 'visit':
      return addVisit(db, movement);
    case 'ended':
      return endEarlier(db, movement);
  }
}

async function putState(
  db: StoreDb,
  { fence, incarnation, ...state }: Extract<FenceMovement, { kind: 'state' }>,
): Promise<void> {
  const isThere = await db
    .selectFrom('fence')
    .innerJoin('device_incarnation', (join) => join.on('device_incarnation.incarnation', '=', incarnation))
    .select('fence.id')
    .where('fence.id', '=', fence)
    .executeTakeFirst();
  if (isThere === undefined) return;
  const where = {
    is_inside: state.isInside ? 1 : 0,
    since_ms: state.sinceMs,
    device_since_ms: state.deviceSinceMs,
  };
  await db
    .insertInto('fence_state')
    .values({ fence, incarnation, ...where })
    .onConflict((conflict) => conflict.columns(['fence', 'incarnation']).doUpdateSet(where))
    .execute();
}

/** The visit that begins then may be known already: it goes on. */
async function openVisit(db: StoreDb, visit: FencedVisit): Promise<void> {
  const known = await visitAt(db, visit);
  if (known !== undefined) await db.updateTable('fence_visit').set({ to_ms: 0 }).where('id', '=', known).execute();
  else await insertVisit(db, visit, 0);
}

async function addVisit(db: StoreDb, visit: FencedVisit & { readonly toMs: number }): Promise<void> {
  if ((await visitAt(db, visit)) === undefined) await insertVisit(db, visit, visit.toMs);
}

async function endEarlier(db: StoreDb, visit: FencedVisit & { readonly toMs: number }): Promise<void> {
  const { fence, incarnation, toMs } = visit;
  const during = await db
    .selectFrom('fence_visit')
    .select('id')
    .where('incarnation', '=', incarnation)
    .where('fence', '=', fence)
    .where('from_ms', '<=', toMs)
    .where(({ or, eb }) => or([eb('to_ms', '=', 0), eb('to_ms', '>=', toMs)]))
    .orderBy('from_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (during === undefined) await addVisit(db, visit);
  else await db.updateTable('fence_visit').set({ to_ms: toMs }).where('id', '=', during.id).execute();
}

async function visitAt(db: StoreDb, { fence, incarnation, fromMs }: FencedVisit): Promise<number | undefined> {
  const row = await db
    .selectFrom('fence_visit')
    .select('id')
    .where('incarnation', '=', incarnation)
    .where('from_ms', '=', fromMs)
    .where('fence', '=', fence)
    .executeTakeFirst();
  return row?.id;
}

async function insertVisit(db: StoreDb, visit: FencedVisit, toMs: number): Promise<void> {
  const { fence, fenceName, memberGroup, incarnation, fromMs, clockOffsetMs } = visit;
  const device = db.selectFrom('device_incarnation').select('incarnation').where('incarnation', '=', incarnation);
  if ((await device.executeTakeFirst()) === undefined) return;
  await db
    .insertInto('fence_visit')
    .values({
      fence,
      fence_name: fenceName,
      member_group: memberGroup,
      incarnation,
      from_ms: fromMs,
      to_ms: toMs,
      clock_offset_ms: clockOffsetMs,
    })
    .execute();
}

function lasting(db: StoreDb, { fence, incarnation }: OfDevice) {
  return db
    .updateTable('fence_visit')
    .where('incarnation', '=', incarnation)
    .where('fence', '=', fence)
    .where('to_ms', '=', 0);
}
