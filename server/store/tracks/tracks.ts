// How tracks are written: as they go on, and anew where late positions have changed what was. Read for pages and reports elsewhere.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoreDb } from '../engine/database.ts';
import { gatherReads } from '../engine/gatherReads.ts';
import type { DayStart, TrackRows } from './trackRows.ts';
import { writeRows } from './trackRowWriting.ts';
import { nameTrips, withDrivers } from './tripDrivers.ts';

export interface TrackWrite {
  readonly incarnation: number;
  /** Those that are there with the same beginning become like these. */
  readonly rows: TrackRows;
  /** JSON; undefined: as it was. */
  readonly state: string | undefined;
  readonly steps: readonly ClockStep[];
}

/** A stretch that was worked out anew. */
export interface TrackReplacement {
  readonly incarnation: number;
  /** Trips and stops that begin in it and aren't among the rows go, gaps and days too; undefined: to the end. */
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly gapsFromMs: number;
  readonly gapsToMs: number | undefined;
  readonly fromDay: number;
  readonly toDay: number | undefined;
  /** Those that begin so go on behind the stretch, as they did, and days that what goes on adds to. */
  readonly kept: { readonly fromMs: readonly number[]; readonly days: readonly number[] };
  readonly rows: TrackRows;
  readonly state: string | undefined;
}

export interface DirtyDay {
  readonly incarnation: number;
  readonly localDay: number;
  readonly fromMs: number;
}

export interface TrackStore {
  load(incarnation: number): Promise<{ readonly state: string | undefined; readonly steps: ClockStep[] }>;
  /** All or none. */
  write(batch: readonly TrackWrite[]): Promise<void>;
  replace(replacement: TrackReplacement): Promise<void>;
  markDirty(days: readonly DirtyDay[]): Promise<void>;
  clearDirty(incarnation: number, localDays: readonly number[]): Promise<void>;
  /** Of devices that are there. */
  dirty(): Promise<(DirtyDay & { readonly deviceId: string })[]>;
  /** The last day that had begun at a moment, and the first one that begins later. */
  startsAround(incarnation: number, atMs: number): Promise<{ readonly before?: DayStart; readonly after?: DayStart }>;
  dayStart(incarnation: number, localDay: number): Promise<(DayStart & { readonly points: number }) | undefined>;
}

/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 1_000;
const START_COLUMNS = ['local_day as localDay', 'begin_ms as beginMs', 'state'] as const;

export function createTrackStore(db: StoreDb): TrackStore {
  const stateOf = gatherReads((incarnations: readonly number[]) => statesOf(db, incarnations));
  const stepsOf = gatherReads((incarnations: readonly number[]) => clockStepsOf(db, incarnations));
  return {
    load: async (incarnation) => {
      const [state, steps = []] = await Promise.all([stateOf(incarnation), stepsOf(incarnation)]);
      return { state, steps };
    },
    write: (batch) =>
      db.transaction().execute(async (work) => {
        // A device may have been deleted meanwhile.
        const there = await stillThere(work, batch);
        const kept = batch.filter(({ incarnation }) => there.has(incarnation));
        await writeRows(work, kept);
        await writeSteps(work, kept);
        await writeStates(work, kept);
        await nameAll(work, kept);
      }),
    replace: (replacement) => db.transaction().execute((work) => replace(work, replacement)),
    markDirty: (days) => markDirty(db, days),
    clearDirty: async (incarnation, localDays) => {
      if (localDays.length === 0) return;
      const rows = db.deleteFrom('track_dirty').where('incarnation', '=', incarnation);
      await rows.where('local_day', 'in', [...localDays]).execute();
    },
    dirty: async () =>
      await db
        .selectFrom('track_dirty')
        .innerJoin('device', 'device.incarnation', 'track_dirty.incarnation')
        .select([
          'track_dirty.incarnation',
          'device.device_id as deviceId',
          'local_day as localDay',
          'from_ms as fromMs',
        ])
        .execute(),
    startsAround: async (incarnation, atMs) => {
      const days = db.selectFrom('track_day').select(START_COLUMNS).where('incarnation', '=', incarnation);
      const before = await days.where('begin_ms', '<=', atMs).orderBy('local_day', 'desc').limit(1).executeTakeFirst();
      const after = await days.where('begin_ms', '>', atMs).orderBy('local_day').limit(1).executeTakeFirst();
      return { ...(before && { before }), ...(after && { after }) };
    },
    dayStart: async (incarnation, localDay) => {
      const days = db.selectFrom('track_day').select([...START_COLUMNS, 'points']);
      return await days.where('incarnation', '=', incarnation).where('local_day', '=', localDay).executeTakeFirst();
    },
  };
}

async function statesOf(db: StoreDb, incarnations: readonly number[]): Promise<Map<number, string>> {
  const rows = db.selectFrom('track_state').select(['incarnation', 'state']).where('incarnation', 'in', incarnations);
  return new Map((await rows.execute()).map(({ incarnation, state }) => [incarnation, state]));
}

async function clockStepsOf(db: StoreDb, incarnations: readonly number[]): Promise<Map<number, ClockStep[]>> {
  const rows = await db
    .selectFrom('device_clock')
    .select(['incarnation', 'device_from_ms as deviceFromMs', 'offset_ms as offsetMs'])
    .where('incarnation', 'in', incarnations)
    .execute();
  const steps = new Map<number, ClockStep[]>();
  for (const { incarnation, ...step } of rows) steps.set(incarnation, [...(steps.get(incarnation) ?? []), step]);
  return steps;
}

async function stillThere(work: StoreDb, batch: readonly TrackWrite[]): Promise<ReadonlySet<number>> {
  const incarnations = batch.map(({ incarnation }) => incarnation);
  if (incarnations.length === 0) return new Set();
  const rows = work.selectFrom('device_incarnation').select('incarnation').where('incarnation', 'in', incarnations);
  return new Set((await rows.execute()).map(({ incarnation }) => incarnation));
}

/** Most vehicles have no card reader: they are asked for together. */
async function nameAll(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const driven = batch.filter(({ rows }) => rows.trips.length > 0);
  const known = await withDrivers(
    work,
    driven.map(({ incarnation }) => incarnation),
  );
  for (const { incarnation, rows } of driven)
    if (known.has(incarnation)) await nameTrips(work, incarnation, rows.trips);
}

async function replace(work: StoreDb, replacement: TrackReplacement): Promise<void> {
  const { incarnation, rows, state } = replacement;
  const write = { incarnation, rows, state, steps: [] };
  if (!(await stillThere(work, [write])).has(incarnation)) return;
  const { fromMs, toMs, gapsFromMs, gapsToMs } = replacement;
  const stays = (list: readonly { readonly fromMs: number }[]) => [
    ...replacement.kept.fromMs,
    ...list.map((row) => row.fromMs),
  ];
  await removeFrom(work, 'trip', { incarnation, fromMs, toMs, staysFromMs: stays(rows.trips) });
  await removeFrom(work, 'stop', { incarnation, fromMs, toMs, staysFromMs: stays(rows.stops) });
  await removeFrom(work, 'track_gap', { incarnation, fromMs: gapsFromMs, toMs: gapsToMs, staysFromMs: [] });
  await removeDays(work, replacement);
  await writeRows(work, [write]);
  await writeStates(work, [write]);
  await nameTrips(work, incarnation, rows.trips);
}

async function removeFrom(
  work: StoreDb,
  table: 'trip' | 'stop' | 'track_gap',
  {
    incarnation,
    fromMs,
    toMs,
    staysFromMs,
  }: {
    readonly incarnation: number;
    readonly fromMs: number;
    readonly toMs: number | undefined;
    readonly staysFromMs: readonly number[];
  },
): Promise<void> {
  let there = work.selectFrom(table).select('from_ms').where('incarnation', '=', incarnation);
  there = there.where('from_ms', '>=', fromMs);
  if (toMs !== undefined) there = there.where('from_ms', '<', toMs);
  const stays = new Set(staysFromMs);
  const gone = (await there.execute()).map((row) => row.from_ms).filter((atMs) => !stays.has(atMs));
  // A terminal that switches its ignition every minute has tens of thousands of trips in a stretch.
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const some = gone.slice(start, start + ROWS_PER_STATEMENT);
    await work.deleteFrom(table).where('incarnation', '=', incarnation).where('from_ms', 'in', some).execute();
  }
}

async function removeDays(work: StoreDb, { incarnation, fromDay, toDay, kept }: TrackReplacement): Promise<void> {
  let rows = work.deleteFrom('track_day').where('incarnation', '=', incarnation).where('local_day', '>=', fromDay);
  if (toDay !== undefined) rows = rows.where('local_day', '<', toDay);
  if (kept.days.length > 0) rows = rows.where('local_day', 'not in', [...kept.days]);
  await rows.execute();
}

async function writeSteps(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const steps = batch.flatMap(({ incarnation, steps }) => steps.map((step) => ({ incarnation, ...step })));
  // One that was measured anew counts as it was last: a statement may not change a row twice.
  const latest = new Map(steps.map((step) => [`${step.incarnation} ${step.deviceFromMs}`, step]));
  const rows = [...latest.values()].map(({ incarnation, deviceFromMs, offsetMs }) => ({
    incarnation,
    device_from_ms: deviceFromMs,
    offset_ms: offsetMs,
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await work
      .insertInto('device_clock')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['incarnation', 'device_from_ms']).doUpdateSet(({ ref }) => ({
          offset_ms: ref('excluded.offset_ms'),
        })),
      )
      .execute();
  }
}

async function writeStates(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const rows = batch.flatMap(({ incarnation, state }) => (state === undefined ? [] : [{ incarnation, state }]));
  if (rows.length === 0) return;
  const insert = work.insertInto('track_state').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict.column('incarnation').doUpdateSet(({ ref }) => ({ state: ref('excluded.state') })),
    )
    .execute();
}

async function markDirty(db: StoreDb, days: readonly DirtyDay[]): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(({ incarnation, localDay, fromMs }) => ({ incarnation, local_day: localDay, from_ms: fromMs }));
  const insert = db.insertInto('track_dirty').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict.columns(['incarnation', 'local_day']).doUpdateSet(({ eb, ref }) => ({
        from_ms: eb
          .case()
          .when(ref('excluded.from_ms'), '<', ref('track_dirty.from_ms'))
          .then(ref('excluded.from_ms'))
          .else(ref('track_dirty.from_ms'))
          .end(),
      })),
    )
    .execute();
}
