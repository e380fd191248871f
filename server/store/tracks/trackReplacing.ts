// Replacing stretches of tracks that were calculated again: the stretches of many devices in one transaction.
import type { StoreDb } from '../engine/database.ts';
import type { TrackRows } from './trackRows.ts';
import { writeRows } from './trackRowWriting.ts';
import { nameAll, stillThere, type TrackWrite, writeStates } from './trackWriting.ts';

/** A stretch that was calculated again. */
export interface TrackReplacement {
  readonly incarnation: number;
  /** Trips and stops that begin in the stretch and aren't among the rows are removed, as are gaps and days; undefined: up to the end. */
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly gapsFromMs: number;
  readonly gapsToMs: number | undefined;
  readonly fromDay: number;
  readonly toDay: number | undefined;
  /** Begins of trips and stops that continue unchanged after the stretch, and days that the track after the stretch adds to. */
  readonly kept: { readonly fromMs: readonly number[]; readonly days: readonly number[] };
  readonly rows: TrackRows;
  readonly state: string | undefined;
}

type Table = 'trip' | 'stop' | 'track_gap';

/** Rows to remove from one table; `staysFromMs`: begins of rows that are rewritten or continue. */
interface Removal {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly staysFromMs: ReadonlySet<number>;
}

/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 1_000;
/** Maximum distance of two stretches in one statement: rows between their begins are read for both devices. */
const TOGETHER_MS = 6 * 3_600_000;

/** Whether one statement fits both: it reads only a few unwanted rows. */
export function areAlike(one: TrackReplacement, other: TrackReplacement): boolean {
  return (
    [one, other].every(({ toMs, kept }) => toMs === undefined && kept.days.length === 0) &&
    one.fromDay === other.fromDay &&
    Math.abs(one.fromMs - other.fromMs) <= TOGETHER_MS &&
    Math.abs(one.gapsFromMs - other.gapsFromMs) <= TOGETHER_MS
  );
}

/** Each replacement is for another device. Devices that were deleted meanwhile are left out. */
export async function replaceStretches(work: StoreDb, replacements: readonly TrackReplacement[]): Promise<void> {
  const there = await stillThere(work, replacements);
  const kept = replacements.filter(({ incarnation }) => there.has(incarnation));
  if (kept.length === 0) return;
  await removeFrom(
    work,
    'trip',
    kept.map((one) => removalOf(one, one.rows.trips)),
  );
  await removeFrom(
    work,
    'stop',
    kept.map((one) => removalOf(one, one.rows.stops)),
  );
  await removeFrom(work, 'track_gap', kept.map(gapRemovalOf));
  await removeDays(work, kept);
  const writes = kept.map(({ incarnation, rows, state }): TrackWrite => ({ incarnation, rows, state, steps: [] }));
  await writeRows(work, writes);
  await writeStates(work, writes);
  await nameAll(work, writes);
}

function removalOf(
  { incarnation, fromMs, toMs, kept }: TrackReplacement,
  written: readonly { readonly fromMs: number }[],
): Removal {
  return { incarnation, fromMs, toMs, staysFromMs: new Set([...kept.fromMs, ...written.map((row) => row.fromMs)]) };
}

function gapRemovalOf({ incarnation, gapsFromMs, gapsToMs }: TrackReplacement): Removal {
  return { incarnation, fromMs: gapsFromMs, toMs: gapsToMs, staysFromMs: new Set() };
}

async function removeFrom(work: StoreDb, table: Table, removals: readonly Removal[]): Promise<void> {
  const fromMs = removals.reduce((least, removal) => Math.min(least, removal.fromMs), Number.POSITIVE_INFINITY);
  const [{ toMs } = { toMs: undefined }] = removals;
  const incarnations = removals.map(({ incarnation }) => incarnation);
  let there = work.selectFrom(table).select(['incarnation', 'from_ms']).where('incarnation', 'in', incarnations);
  there = there.where('from_ms', '>=', fromMs);
  if (toMs !== undefined) there = there.where('from_ms', '<', toMs);
  const found = await there.execute();
  const gone = new Map(removals.map((removal) => [removal.incarnation, { removal, atMs: [] as number[] }]));
  for (const { incarnation, from_ms: atMs } of found) {
    const of = gone.get(incarnation);
    if (of !== undefined && isGone(of.removal, atMs)) of.atMs.push(atMs);
  }
  for (const [incarnation, { atMs }] of gone) await removeRows(work, table, { incarnation, gone: atMs });
}

function isGone({ fromMs, staysFromMs }: Removal, atMs: number): boolean {
  return atMs >= fromMs && !staysFromMs.has(atMs);
}

/** Deletes in parts, as a terminal that switches its ignition every minute has tens of thousands of trips in a stretch. */
async function removeRows(
  work: StoreDb,
  table: Table,
  { incarnation, gone }: { readonly incarnation: number; readonly gone: readonly number[] },
): Promise<void> {
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const some = gone.slice(start, start + ROWS_PER_STATEMENT);
    await work.deleteFrom(table).where('incarnation', '=', incarnation).where('from_ms', 'in', some).execute();
  }
}

/** Replacements that are written together have the same days. */
async function removeDays(work: StoreDb, replacements: readonly TrackReplacement[]): Promise<void> {
  const [first] = replacements;
  if (first === undefined) return;
  const { fromDay, toDay, kept } = first;
  const incarnations = replacements.map(({ incarnation }) => incarnation);
  let rows = work.deleteFrom('track_day').where('incarnation', 'in', incarnations).where('local_day', '>=', fromDay);
  if (toDay !== undefined) rows = rows.where('local_day', '<', toDay);
  if (kept.days.length > 0) rows = rows.where('local_day', 'not in', [...kept.days]);
  await rows.execute();
}
