// Writing tracks as they continue: those of many devices in one transaction.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoreDb } from '../engine/database.ts';
import type { TrackRows } from './trackRows.ts';
import { writeRows } from './trackRowWriting.ts';
import { nameTrips, withDrivers } from './tripDrivers.ts';

export interface TrackWrite {
  readonly incarnation: number;
  /** Existing rows with the same begin are replaced by these. */
  readonly rows: TrackRows;
  /** JSON; undefined: unchanged. */
  readonly state: string | undefined;
  readonly steps: readonly ClockStep[];
}

/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 1_000;

/** Tracks of devices that were deleted meanwhile are left out. */
export async function writeTracks(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const there = await stillThere(work, batch);
  const kept = batch.filter(({ incarnation }) => there.has(incarnation));
  await writeRows(work, kept);
  await writeSteps(work, kept);
  await writeStates(work, kept);
  await nameAll(work, kept);
}

export async function stillThere(
  work: StoreDb,
  batch: readonly Pick<TrackWrite, 'incarnation'>[],
): Promise<ReadonlySet<number>> {
  const incarnations = batch.map(({ incarnation }) => incarnation);
  if (incarnations.length === 0) return new Set();
  const rows = work.selectFrom('device_incarnation').select('incarnation').where('incarnation', 'in', incarnations);
  return new Set((await rows.execute()).map(({ incarnation }) => incarnation));
}

/** Most vehicles have no card reader, so one query finds the vehicles with drivers. */
export async function nameAll(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const driven = batch.filter(({ rows }) => rows.trips.length > 0);
  const known = await withDrivers(
    work,
    driven.map(({ incarnation }) => incarnation),
  );
  for (const { incarnation, rows } of driven)
    if (known.has(incarnation)) await nameTrips(work, incarnation, rows.trips);
}

async function writeSteps(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const steps = batch.flatMap(({ incarnation, steps }) => steps.map((step) => ({ incarnation, ...step })));
  // A step that was measured again counts with its last value: a statement can't change a row twice.
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

export async function writeStates(work: StoreDb, batch: readonly TrackWrite[]): Promise<void> {
  const rows = batch.flatMap(({ incarnation, state }) => (state === undefined ? [] : [{ incarnation, state }]));
  if (rows.length === 0) return;
  const insert = work.insertInto('track_state').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict.column('incarnation').doUpdateSet(({ ref }) => ({ state: ref('excluded.state') })),
    )
    .execute();
}
