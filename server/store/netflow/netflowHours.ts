// The only module that writes `netflow_hour` and `netflow_day`, and the sums of both with them.
import { sql } from 'kysely';
import { NETFLOW_KINDS } from '../../../shared/protocol/netflow/netflowWords.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import {
  addToDeviceDays,
  addToGroups,
  lockSums,
  placesOf,
  removeSumsBefore,
  removeSumsOfHour,
  type UseChange,
} from './netflowSums.ts';

/** One hour, all that was used in it: writing it again changes nothing. */
export interface HourUse {
  readonly incarnation: number;
  readonly hourMs: number;
  /** In the order of NETFLOW_KINDS. */
  readonly received: readonly number[];
  readonly sent: readonly number[];
}

interface HourRow {
  readonly incarnation: number;
  readonly hour_ms: number;
  readonly kind: number;
  readonly received_bytes: number;
  readonly sent_bytes: number;
}

const ROWS_A_STATEMENT = 500;
const ROWS_A_COMPACTION = 2_000;

/** In a transaction, of devices that are known. */
export async function writeHours(work: StoreDb, hours: readonly HourUse[]): Promise<void> {
  const rows = hours.flatMap(rowsOf);
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const part = rows.slice(at, at + ROWS_A_STATEMENT);
    const changes = await changesBy(work, part);
    await work
      .insertInto('netflow_hour')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['incarnation', 'hour_ms', 'kind']).doUpdateSet((is) => ({
          received_bytes: is.ref('excluded.received_bytes'),
          sent_bytes: is.ref('excluded.sent_bytes'),
        })),
      )
      .execute();
    const places = await placesOf(work, [...new Set(part.map(({ incarnation }) => incarnation))]);
    await addToGroups(work, 'netflow_group_hour', changes, { places, sign: 1 });
    await addToDeviceDays(work, changes, places);
  }
}

function rowsOf({ incarnation, hourMs, received, sent }: HourUse): HourRow[] {
  return NETFLOW_KINDS.flatMap((_, kind) => {
    const [received_bytes, sent_bytes] = [received[kind] ?? 0, sent[kind] ?? 0];
    return received_bytes + sent_bytes === 0
      ? []
      : [{ incarnation, hour_ms: hourMs, kind, received_bytes, sent_bytes }];
  });
}

/** By how much rows will grow when they are written: most are there already, with the bytes of a minute ago. */
async function changesBy(work: StoreDb, rows: readonly HourRow[]): Promise<UseChange[]> {
  const known = await work
    .selectFrom('netflow_hour')
    .selectAll()
    .where('incarnation', 'in', [...new Set(rows.map(({ incarnation }) => incarnation))])
    .where('hour_ms', 'in', [...new Set(rows.map(({ hour_ms }) => hour_ms))])
    .execute();
  const keyOf = ({ incarnation, hour_ms, kind }: HourRow): string => `${incarnation}/${hour_ms}/${kind}`;
  const before = new Map(known.map((row) => [keyOf(row), row]));
  return rows.map((row) => {
    const was = before.get(keyOf(row));
    return {
      ...changeOf(row),
      receivedBytes: row.received_bytes - (was?.received_bytes ?? 0),
      sentBytes: row.sent_bytes - (was?.sent_bytes ?? 0),
    };
  });
}

function changeOf({ incarnation, hour_ms, kind, received_bytes, sent_bytes }: HourRow): UseChange {
  return { incarnation, at: hour_ms, kind, receivedBytes: received_bytes, sentBytes: sent_bytes };
}

/** Puts some hours before then together to days. Of one hour, whole devices at a time: a day takes an hour's bytes once. */
export async function compactSome(work: StoreDb, beforeMs: number): Promise<boolean> {
  await lockSums(work);
  const oldest = work.selectFrom('netflow_hour').select('hour_ms').where('hour_ms', '<', beforeMs);
  const hour = await oldest.orderBy('hour_ms').limit(1).executeTakeFirst();
  if (hour === undefined) return false;
  const rows = await work
    .selectFrom('netflow_hour')
    .leftJoin('device', 'device.incarnation', 'netflow_hour.incarnation')
    .selectAll('netflow_hour')
    .select('device.time_zone')
    .where('hour_ms', '=', hour.hour_ms)
    .orderBy('netflow_hour.incarnation')
    .limit(ROWS_A_COMPACTION)
    .execute();
  const last = rows.at(-1)?.incarnation ?? 0;
  const isCut = rows.length === ROWS_A_COMPACTION;
  const whole = isCut ? rows.filter(({ incarnation }) => incarnation < last) : rows;
  await addToDays(work, whole);
  const done = work.deleteFrom('netflow_hour').where('hour_ms', '=', hour.hour_ms);
  await (isCut ? done.where('incarnation', '<', last) : done).execute();
  if (!isCut) await removeSumsOfHour(work, hour.hour_ms);
  return true;
}

async function addToDays(
  work: StoreDb,
  rows: readonly (HourRow & { readonly time_zone: string | null })[],
): Promise<void> {
  const days = rows.map(({ time_zone, hour_ms, ...row }) => ({ ...row, day: dayNumber(hour_ms, time_zone ?? '') }));
  for (let at = 0; at < days.length; at += ROWS_A_STATEMENT) {
    await work
      .insertInto('netflow_day')
      .values(days.slice(at, at + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['incarnation', 'day', 'kind']).doUpdateSet({
          received_bytes: sql`netflow_day.received_bytes + excluded.received_bytes`,
          sent_bytes: sql`netflow_day.sent_bytes + excluded.sent_bytes`,
        }),
      )
      .execute();
  }
  const places = await placesOf(work, [...new Set(rows.map(({ incarnation }) => incarnation))]);
  await addToGroups(work, 'netflow_group_hour', rows.map(changeOf), { places, sign: -1 });
  const ofDays = days.map(({ day, ...row }) => changeOf({ ...row, hour_ms: day }));
  await addToGroups(work, 'netflow_group_day', ofDays, { places, sign: 1 });
}

/** `day`: YYYYMMDD. */
export async function removeDaysBefore(db: StoreDb, day: number): Promise<void> {
  await deleteInParts((limit) =>
    db
      .deleteFrom('netflow_day')
      .where(
        sql<boolean>`(incarnation, day, kind) in (select incarnation, day, kind from netflow_day where day < ${day} limit ${limit})`,
      ),
  );
  await removeSumsBefore(db, day);
}
