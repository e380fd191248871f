// Data from a device's reports beside its positions: found, and deleted in parts, by device and by age.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';

interface TraceTable {
  readonly table: string;
  /** Distinguishes the rows of one device. */
  readonly key: string;
  /** Whether a row of the table, called `t`, is past its time; left out: never while its device exists. */
  readonly isOld?: (beforeMs: number) => RawBuilder<unknown>;
}

/** A row without an end goes on. The first comparison is for the index. */
const endedBefore =
  (begin: string, end: string) =>
  (beforeMs: number): RawBuilder<unknown> =>
    sql`t.${sql.ref(begin)} < ${beforeMs} and t.${sql.ref(end)} > 0 and t.${sql.ref(end)} < ${beforeMs}`;

const TRACES: readonly TraceTable[] = [
  { table: 'presence_session', key: 'id', isOld: endedBefore('from_ms', 'to_ms') },
  { table: 'trip', key: 'id', isOld: endedBefore('from_ms', 'to_ms') },
  { table: 'stop', key: 'id', isOld: endedBefore('from_ms', 'to_ms') },
  { table: 'track_gap', key: 'from_ms', isOld: endedBefore('from_ms', 'to_ms') },
  { table: 'track_day', key: 'local_day', isOld: (beforeMs) => sql`t.local_day < ${localDayBefore(beforeMs)}` },
  { table: 'driver_session', key: 'id', isOld: endedBefore('in_ms', 'out_ms') },
  { table: 'passenger_count', key: 'id', isOld: endedBefore('from_ms', 'to_ms') },
  { table: 'fence_visit', key: 'id', isOld: endedBefore('from_ms', 'to_ms') },
  // The last offset before that moment, by the gateway's clock, applies to the positions after it.
  {
    table: 'device_clock',
    key: 'device_from_ms',
    isOld: (beforeMs) => sql`t.device_from_ms + t.offset_ms < ${beforeMs} and t.device_from_ms + t.offset_ms < (
      select max(c.device_from_ms + c.offset_ms) from device_clock as c
      where c.incarnation = t.incarnation and c.device_from_ms + c.offset_ms <= ${beforeMs})`,
  },
  { table: 'fence_state', key: 'fence' },
];

const DAY_MS = 86_400_000;

/** A day that is over in every time zone by then, in the format of `local_day`. */
function localDayBefore(beforeMs: number): number {
  const day = new Date(Math.max(0, beforeMs - DAY_MS));
  return day.getUTCFullYear() * 10_000 + (day.getUTCMonth() + 1) * 100 + day.getUTCDate();
}

/** Deletes some of the rows, all or only old ones. Gives how many; 0: none is left. */
export async function removeTraces(
  db: StoreDb,
  incarnation: number,
  { limit, beforeMs }: { readonly limit: number; readonly beforeMs: number | undefined },
): Promise<number> {
  let removed = 0;
  for (const { table, key, isOld } of TRACES) {
    if (removed >= limit) return removed;
    if (beforeMs !== undefined && isOld === undefined) continue;
    const old = beforeMs === undefined || isOld === undefined ? sql`1 = 1` : isOld(beforeMs);
    const first = sql`select t.${sql.ref(key)} from ${sql.table(table)} as t
      where t.incarnation = ${incarnation} and ${old} limit ${limit - removed}`;
    const deletion = sql`delete from ${sql.table(table)} where incarnation = ${incarnation} and ${sql.ref(key)} in (${first})`;
    removed += Number((await deletion.execute(db)).numAffectedRows ?? 0n);
  }
  return removed;
}

/** The incarnations among these that have old rows. */
export async function withTraces(db: StoreDb, incarnations: readonly number[], beforeMs: number): Promise<number[]> {
  const found = new Set<number>();
  if (incarnations.length === 0) return [];
  for (const { table, isOld } of TRACES) {
    if (isOld === undefined) continue;
    const rows = await sql<{ incarnation: number }>`select distinct t.incarnation from ${sql.table(table)} as t
      where t.incarnation in (${sql.join(incarnations)}) and ${isOld(beforeMs)}`.execute(db);
    for (const { incarnation } of rows.rows) found.add(Number(incarnation));
  }
  return [...found];
}

/** Whether the incarnation in a query's table `gone` has any rows left. */
export function hasTraces(): RawBuilder<boolean> {
  const any = TRACES.map(
    ({ table }) => sql`exists (select 1 from ${sql.table(table)} as t where t.incarnation = gone.incarnation)`,
  );
  return sql<boolean>`(${sql.join(any, sql` or `)})`;
}
