// The positions of devices relative to geofences, and their visits: written in the order in which they happened. Times are by the gateway's
// clock.
import type { StoreDb } from '../engine/database.ts';

export interface FencedVisit {
  readonly fence: number;
  /** Name of the fence. */
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
  /** Whether the device is inside, for a gateway that starts again. */
  | (OfDevice & {
      readonly kind: 'state';
      readonly isInside: boolean;
      readonly sinceMs: number;
      readonly deviceSinceMs: number;
    })
  /** The device is outside, as it is for fences without a stored state. */
  | (OfDevice & { readonly kind: 'forget' })
  | (FencedVisit & { readonly kind: 'open' })
  | (OfDevice & { readonly kind: 'close'; readonly toMs: number })
  /** The visit that lasts has an earlier begin. */
  | (OfDevice & { readonly kind: 'began'; readonly fromMs: number })
  /** A visit that has begun and ended. */
  | (FencedVisit & { readonly kind: 'visit'; readonly toMs: number })
  /** Ends the visit that was under way at `toMs`; without one, adds this visit. */
  | (FencedVisit & { readonly kind: 'ended'; readonly toMs: number });

export interface StoredFenceState extends OfDevice {
  readonly isInside: boolean;
  readonly sinceMs: number;
  readonly deviceSinceMs: number;
}

export interface FenceMovementStore {
  /** Writes everything or nothing. Movements of a deleted fence are left out; visits that are already there stay as they are. */
  write(movements: readonly FenceMovement[]): Promise<void>;
  states(): Promise<readonly StoredFenceState[]>;
}

export function createFenceMovementStore(db: StoreDb): FenceMovementStore {
  return {
    write: async (movements) => {
      if (movements.length === 0) return;
      await db.transaction().execute(async (work) => {
        for (const round of roundsOf(movements)) await writeRound(work, round);
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

type MovementOf<Kind extends FenceMovement['kind']> = Extract<FenceMovement, { readonly kind: Kind }>;

/** SQLite takes 32,766 parameters a statement; a visit has seven. */
const ROWS_PER_STATEMENT = 1_000;

/** Movements in rounds that follow one another: a round has at most one state for each fence and device, and one visit. */
function roundsOf(movements: readonly FenceMovement[]): FenceMovement[][] {
  const rounds: FenceMovement[][] = [];
  const counts = new Map<string, number>();
  for (const movement of movements) {
    const isPlace = movement.kind === 'state' || movement.kind === 'forget';
    const key = `${isPlace} ${movement.fence} ${movement.incarnation}`;
    const round = counts.get(key) ?? 0;
    counts.set(key, round + 1);
    rounds[round] ??= [];
    rounds[round].push(movement);
  }
  return rounds;
}

/** Thousands of vehicles that leave a depot together take as few statements as a single one. */
async function writeRound(db: StoreDb, round: readonly FenceMovement[]): Promise<void> {
  for (let start = 0; start < round.length; start += ROWS_PER_STATEMENT) {
    const part = round.slice(start, start + ROWS_PER_STATEMENT);
    const there = await stillThere(db, part);
    await putStates(db, part, there);
    await addVisits(db, part, there);
    for (const movement of part) await writeAlone(db, movement, there);
  }
}

interface StillThere {
  readonly fences: ReadonlySet<number>;
  readonly incarnations: ReadonlySet<number>;
}

async function stillThere(db: StoreDb, part: readonly FenceMovement[]): Promise<StillThere> {
  const states = part.filter(({ kind }) => kind === 'state');
  const fences = db.selectFrom('fence').select('id').where('id', 'in', distinct(states, 'fence'));
  const devices = db
    .selectFrom('device_incarnation')
    .select('incarnation')
    .where('incarnation', 'in', distinct(part, 'incarnation'));
  return {
    fences: new Set(states.length === 0 ? [] : (await fences.execute()).map(({ id }) => id)),
    incarnations: new Set((await devices.execute()).map(({ incarnation }) => incarnation)),
  };
}

function distinct<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number[] {
  return [...new Set(rows.map((row) => row[key]))];
}

async function putStates(
  db: StoreDb,
  part: readonly FenceMovement[],
  { fences, incarnations }: StillThere,
): Promise<void> {
  const rows = part
    .filter((movement): movement is MovementOf<'state'> => movement.kind === 'state')
    .filter(({ fence, incarnation }) => fences.has(fence) && incarnations.has(incarnation))
    .map(({ fence, incarnation, isInside, sinceMs, deviceSinceMs }) => ({
      fence,
      incarnation,
      is_inside: isInside ? 1 : 0,
      since_ms: sinceMs,
      device_since_ms: deviceSinceMs,
    }));
  if (rows.length === 0) return;
  await db
    .insertInto('fence_state')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['fence', 'incarnation']).doUpdateSet(({ ref }) => ({
        is_inside: ref('excluded.is_inside'),
        since_ms: ref('excluded.since_ms'),
        device_since_ms: ref('excluded.device_since_ms'),
      })),
    )
    .execute();
}

/** Adds visits that begin, and visits that are over. A known visit with the same begin continues, or stays as it is. */
async function addVisits(db: StoreDb, part: readonly FenceMovement[], there: StillThere): Promise<void> {
  const visits = part.filter(
    (movement): movement is MovementOf<'open' | 'visit'> => movement.kind === 'open' || movement.kind === 'visit',
  );
  if (visits.length === 0) return;
  const known = await knownVisits(db, visits);
  const goOn = visits.flatMap((visit) => (visit.kind === 'open' ? (known.get(visitKey(visit)) ?? []) : []));
  if (goOn.length > 0) await db.updateTable('fence_visit').set({ to_ms: 0 }).where('id', 'in', goOn).execute();
  const added = visits.filter((visit) => !known.has(visitKey(visit)));
  await insertVisits(db, added, there);
}

function visitKey({ fence, incarnation, fromMs }: Pick<FencedVisit, 'fence' | 'incarnation' | 'fromMs'>): string {
  return `${fence} ${incarnation} ${fromMs}`;
}

async function knownVisits(db: StoreDb, visits: readonly FencedVisit[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('fence_visit')
    .select(['id', 'fence', 'incarnation', 'from_ms as fromMs'])
    .where('incarnation', 'in', distinct(visits, 'incarnation'))
    .where('from_ms', 'in', distinct(visits, 'fromMs'))
    .where('fence', 'in', distinct(visits, 'fence'))
    .execute();
  return new Map(rows.map((row) => [visitKey(row), row.id]));
}

async function insertVisits(
  db: StoreDb,
  visits: readonly MovementOf<'open' | 'visit' | 'ended'>[],
  { incarnations }: StillThere,
): Promise<void> {
  const rows = visits
    .filter(({ incarnation }) => incarnations.has(incarnation))
    .map((visit) => ({
      fence: visit.fence,
      fence_name: visit.fenceName,
      member_group: visit.memberGroup,
      incarnation: visit.incarnation,
      from_ms: visit.fromMs,
      to_ms: visit.kind === 'open' ? 0 : visit.toMs,
      clock_offset_ms: visit.clockOffsetMs,
    }));
  if (rows.length > 0) await db.insertInto('fence_visit').values(rows).execute();
}

/** Writes a movement that can't be combined with others into one statement. */
async function writeAlone(db: StoreDb, movement: FenceMovement, there: StillThere): Promise<void> {
  const { fence, incarnation } = movement;
  switch (movement.kind) {
    case 'state':
    case 'open':
    case 'visit':
      return;
    case 'forget':
      await db.deleteFrom('fence_state').where('fence', '=', fence).where('incarnation', '=', incarnation).execute();
      return;
    case 'close':
      await lasting(db, movement).set({ to_ms: movement.toMs }).execute();
      return;
    case 'began':
      await lasting(db, movement).set({ from_ms: movement.fromMs }).execute();
      return;
    case 'ended':
      return endEarlier(db, movement, there);
  }
}

async function endEarlier(db: StoreDb, visit: MovementOf<'ended'>, there: StillThere): Promise<void> {
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
  if (during !== undefined) {
    await db.updateTable('fence_visit').set({ to_ms: toMs }).where('id', '=', during.id).execute();
    return;
  }
  const known = await knownVisits(db, [visit]);
  if (!known.has(visitKey(visit))) await insertVisits(db, [visit], there);
}

function lasting(db: StoreDb, { fence, incarnation }: OfDevice) {
  return db
    .updateTable('fence_visit')
    .where('incarnation', '=', incarnation)
    .where('fence', '=', fence)
    .where('to_ms', '=', 0);
}
