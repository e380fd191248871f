// The drivers of trips: the owner of the card that was inserted when a trip began, otherwise of the one that was inserted longest.
import type { StoreDb } from '../engine/database.ts';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface NamedTrip extends Span {
  /** The stored driver; undefined: not known. An inserted card may be followed by years of trips whose drivers don't change. */
  readonly driver?: string | undefined;
}

interface Session extends Span {
  readonly name: string;
}

/** The devices among these in which a card was ever inserted. */
export async function withDrivers(work: StoreDb, incarnations: readonly number[]): Promise<ReadonlySet<number>> {
  if (incarnations.length === 0) return new Set();
  const sessions = work.selectFrom('driver_session').select('incarnation').distinct();
  const rows = await sessions.where('incarnation', 'in', [...incarnations]).execute();
  return new Set(rows.map(({ incarnation }) => incarnation));
}

/** Called after trips or sessions have changed. */
export async function nameTrips(work: StoreDb, incarnation: number, trips: readonly NamedTrip[]): Promise<void> {
  const [first] = trips;
  if (first === undefined) return;
  const span = {
    fromMs: trips.reduce((least, { fromMs }) => Math.min(least, fromMs), first.fromMs),
    toMs: trips.reduce((most, { toMs }) => Math.max(most, toMs), first.toMs),
  };
  const sessions = await sessionsIn(work, incarnation, span);
  if (sessions.length === 0) return;
  for (const trip of trips) {
    const driver = driverOf(trip, sessions);
    if (driver === trip.driver) continue;
    const update = work.updateTable('trip').set({ driver });
    await update.where('incarnation', '=', incarnation).where('from_ms', '=', trip.fromMs).execute();
  }
}

/** Updates the drivers of the trips in a stretch, after its sessions have changed. */
export async function nameTripsIn(work: StoreDb, incarnation: number, { fromMs, toMs }: Span): Promise<void> {
  const trips = work
    .selectFrom('trip')
    .select(['from_ms as fromMs', 'to_ms as toMs', 'driver'])
    .where('incarnation', '=', incarnation)
    .where('from_ms', '<=', toMs)
    .where('to_ms', '>=', fromMs);
  await nameTrips(work, incarnation, await trips.execute());
}

async function sessionsIn(work: StoreDb, incarnation: number, { fromMs, toMs }: Span): Promise<Session[]> {
  const rows = await work
    .selectFrom('driver_session')
    .select(['name', 'in_ms as fromMs', 'out_ms'])
    .where('incarnation', '=', incarnation)
    .where('in_ms', '<=', toMs)
    .where(({ or, eb }) => or([eb('out_ms', '=', 0), eb('out_ms', '>=', fromMs)]))
    .orderBy('in_ms')
    .execute();
  return rows.map(({ name, fromMs: inMs, out_ms: outMs }) => ({
    name,
    fromMs: inMs,
    toMs: outMs === 0 ? Number.POSITIVE_INFINITY : outMs,
  }));
}

function driverOf({ fromMs, toMs }: Span, sessions: readonly Session[]): string {
  const atBegin = sessions.find((each) => each.fromMs <= fromMs && each.toMs > fromMs && each.name !== '');
  if (atBegin !== undefined) return atBegin.name;
  const times = new Map<string, number>();
  for (const session of sessions) {
    const sharedMs = Math.min(toMs, session.toMs) - Math.max(fromMs, session.fromMs);
    if (sharedMs > 0 && session.name !== '') times.set(session.name, (times.get(session.name) ?? 0) + sharedMs);
  }
  const [longest] = [...times].sort(([, left], [, right]) => right - left);
  return longest?.[0] ?? '';
}
