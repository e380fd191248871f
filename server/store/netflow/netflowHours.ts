// The only module that writes `netflow_hour` and `netflow_day`, and updates the sums of days with them.
import { type Insertable, sql } from 'kysely';
import { NETFLOW_KINDS } from '../../../shared/protocol/netflow/netflowWords.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import { addToSums, type DayChange, removeSumsBefore } from './netflowSums.ts';
import type { NetflowHourTable } from './tables.ts';

/** The total usage of one hour: writing it again changes nothing. */
export interface HourUse {
  readonly incarnation: number;
  readonly hourMs: number;
  /** In the order of NETFLOW_KINDS. */
  readonly received: readonly number[];
  readonly sent: readonly number[];
}

type HourRow = Insertable<NetflowHourTable>;

const ROWS_A_STATEMENT = 500;

/** Runs in a transaction that has locked the sums. Unknown devices are left out. */
export async function writeHours(work: StoreDb, hours: readonly HourUse[]): Promise<void> {
  const rows = hours.flatMap(rowsOf);
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const part = rows.slice(at, at + ROWS_A_STATEMENT);
    const devices = await devicesOf(work, part);
    await writeRows(
      work,
      part.filter(({ incarnation }) => devices.has(incarnation)),
      devices,
    );
  }
}

async function writeRows(work: StoreDb, rows: readonly HourRow[], devices: Devices): Promise<void> {
  if (rows.length === 0) return;
  const grown = await growthBy(work, rows);
  await work
    .insertInto('netflow_hour')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['incarnation', 'hour_ms', 'kind']).doUpdateSet((is) => ({
        received_bytes: is.ref('excluded.received_bytes'),
        sent_bytes: is.ref('excluded.sent_bytes'),
      })),
    )
    .execute();
  const days = onDays(grown, devices);
  if (days.length === 0) return;
  await addToDays(work, days);
  await addToSums(work, days, (incarnation) => devices.get(incarnation)?.deviceGroup ?? 0);
}

function rowsOf({ incarnation, hourMs, received, sent }: HourUse): HourRow[] {
  return NETFLOW_KINDS.flatMap((_, kind) => {
    const [received_bytes, sent_bytes] = [received[kind] ?? 0, sent[kind] ?? 0];
    return received_bytes + sent_bytes === 0
      ? []
      : [{ incarnation, hour_ms: hourMs, kind, received_bytes, sent_bytes }];
  });
}

interface Device {
  readonly timeZone: string;
  /** The group whose sums contain it; 0: none. */
  readonly deviceGroup: number;
}

type Devices = ReadonlyMap<number, Device>;

/** Includes deleted devices, which have no time zone. */
async function devicesOf(work: StoreDb, rows: readonly HourRow[]): Promise<Devices> {
  const found = await work
    .selectFrom('device_incarnation')
    .leftJoin('device', 'device.incarnation', 'device_incarnation.incarnation')
    .leftJoin('netflow_place', 'netflow_place.incarnation', 'device_incarnation.incarnation')
    .select(['device_incarnation.incarnation', 'device.time_zone', 'netflow_place.device_group'])
    .where('device_incarnation.incarnation', 'in', [...new Set(rows.map(({ incarnation }) => incarnation))])
    .execute();
  return new Map(
    found.map((row) => [row.incarnation, { timeZone: row.time_zone ?? '', deviceGroup: row.device_group ?? 0 }]),
  );
}

/** The rows with only their growth: most exist already, with the bytes of a minute ago. */
async function growthBy(work: StoreDb, rows: readonly HourRow[]): Promise<HourRow[]> {
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
      ...row,
      received_bytes: row.received_bytes - (was?.received_bytes ?? 0),
      sent_bytes: row.sent_bytes - (was?.sent_bytes ?? 0),
    };
  });
}

/** One change for each day; an hour belongs to the day in which it begins. */
function onDays(hours: readonly HourRow[], devices: Devices): DayChange[] {
  // There are few hours and even fewer time zones, and computing a day takes longer than everything else.
  const dayOf = remembered((hourMs, timeZone) => dayNumber(hourMs, timeZone));
  const days = new Map<string, DayChange>();
  for (const { incarnation, hour_ms, kind, received_bytes, sent_bytes } of hours) {
    if (received_bytes === 0 && sent_bytes === 0) continue;
    const day = dayOf(hour_ms, devices.get(incarnation)?.timeZone ?? '');
    const key = `${incarnation}/${day}/${kind}`;
    const before = days.get(key);
    days.set(key, {
      ...{ incarnation, day, kind },
      received_bytes: received_bytes + (before?.received_bytes ?? 0),
      sent_bytes: sent_bytes + (before?.sent_bytes ?? 0),
    });
  }
  return [...days.values()];
}

function remembered(of: (hourMs: number, timeZone: string) => number): typeof of {
  const known = new Map<string, number>();
  return (hourMs, timeZone) => {
    const key = `${hourMs}/${timeZone}`;
    const value = known.get(key) ?? of(hourMs, timeZone);
    known.set(key, value);
    return value;
  };
}

async function addToDays(work: StoreDb, days: readonly DayChange[]): Promise<void> {
  await work
    .insertInto('netflow_day')
    .values(days)
    .onConflict((conflict) =>
      conflict.columns(['incarnation', 'day', 'kind']).doUpdateSet({
        received_bytes: sql`netflow_day.received_bytes + excluded.received_bytes`,
        sent_bytes: sql`netflow_day.sent_bytes + excluded.sent_bytes`,
      }),
    )
    .execute();
}

/** Deletes hours; their days stay. */
export async function removeHoursBefore(db: StoreDb, hourMs: number): Promise<void> {
  await deleteInParts((limit) =>
    db
      .deleteFrom('netflow_hour')
      .where(
        sql<boolean>`(incarnation, hour_ms, kind) in (select incarnation, hour_ms, kind from netflow_hour where hour_ms < ${hourMs} limit ${limit})`,
      ),
  );
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
