// The only module that writes sums of data usage: `netflow_place`, `netflow_group_hour`, `netflow_group_day` and `netflow_device_day`.
// A year of a large fleet has millions of rows; a chart reads some ten thousand sums instead.
//
// The sums of a device group contain exactly the rows of the devices that have their place in it. A device that is new, moved, disabled or
// deleted is placed later, one after another, since it has thousands of rows: until then readers correct the sums by its own rows.
import { sql } from 'kysely';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { bigint } from '../engine/bigint.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import { isPostgres } from '../engine/lockingRows.ts';

/** By how much a row of `netflow_hour` or `netflow_day` grows. */
export interface UseChange {
  readonly incarnation: number;
  /** `hour_ms` or `day`. */
  readonly at: number;
  readonly kind: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

export interface Place {
  /** 0: none. */
  readonly deviceGroup: number;
  readonly timeZone: string;
}

type Places = ReadonlyMap<number, Place>;
type Sums = 'netflow_group_hour' | 'netflow_group_day';

const STEP = { netflow_group_hour: 'hour_ms', netflow_group_day: 'day' } as const;
const ROWS_OF = { netflow_group_hour: 'netflow_hour', netflow_group_day: 'netflow_day' } as const;
const ROWS_A_STATEMENT = 500;
/** Some ten thousand rows, half a tenth of a second. */
const DEVICES_A_PART = 4;

/** At the beginning of each transaction that changes usage or sums: two of them would wait for one another's rows. */
export async function lockSums(work: StoreDb): Promise<void> {
  if (isPostgres(work)) await sql`lock table netflow_place in exclusive mode`.execute(work);
}

/** Of those that are in the sums. */
export async function placesOf(work: StoreDb, incarnations: readonly number[]): Promise<Places> {
  const places = new Map<number, Place>();
  for (let at = 0; at < incarnations.length; at += ROWS_A_STATEMENT) {
    const rows = await work
      .selectFrom('netflow_place')
      .leftJoin('device', 'device.incarnation', 'netflow_place.incarnation')
      .select(['netflow_place.incarnation', 'netflow_place.device_group', 'device.time_zone'])
      .where('netflow_place.incarnation', 'in', incarnations.slice(at, at + ROWS_A_STATEMENT))
      .execute();
    for (const { incarnation, device_group, time_zone } of rows) {
      places.set(incarnation, { deviceGroup: device_group, timeZone: time_zone ?? '' });
    }
  }
  return places;
}

/** `sign`: -1 takes them away. */
export async function addToGroups(
  work: StoreDb,
  table: Sums,
  changes: readonly UseChange[],
  { places, sign }: { readonly places: Places; readonly sign: 1 | -1 },
): Promise<void> {
  const sums = new Map<string, { at: number; kind: number; group: number; received: number; sent: number }>();
  for (const { incarnation, at, kind, receivedBytes, sentBytes } of changes) {
    const group = places.get(incarnation)?.deviceGroup ?? 0;
    if (group === 0) continue;
    const key = `${at}/${kind}/${group}`;
    const sum = sums.get(key) ?? { at, kind, group, received: 0, sent: 0 };
    sums.set(key, sum);
    sum.received += sign * receivedBytes;
    sum.sent += sign * sentBytes;
  }
  const rows = [...sums.values()];
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const values = rows
      .slice(at, at + ROWS_A_STATEMENT)
      .map((row) => sql`(${row.at}, ${row.kind}, ${row.group}, ${row.received}, ${row.sent})`);
    await addRows(work, table, sql`values ${sql.join(values)}`);
  }
}

/** What is new of hours. */
export async function addToDeviceDays(work: StoreDb, changes: readonly UseChange[], places: Places): Promise<void> {
  const days = new Map<string, { incarnation: number; day: number; bytes: number }>();
  const dayOf = rememberedDays();
  for (const { incarnation, at, receivedBytes, sentBytes } of changes) {
    const place = places.get(incarnation);
    if (place === undefined) continue;
    const day = dayOf(at, place.timeZone);
    const key = `${incarnation}/${day}`;
    const sum = days.get(key) ?? { incarnation, day, bytes: 0 };
    days.set(key, sum);
    sum.bytes += receivedBytes + sentBytes;
  }
  await addDays(work, [...days.values()]);
}

/** Hours that are days now. */
export async function removeSumsOfHour(work: StoreDb, hourMs: number): Promise<void> {
  await work.deleteFrom('netflow_group_hour').where('hour_ms', '=', hourMs).execute();
}

/** After the days themselves. `day`: YYYYMMDD. */
export async function removeSumsBefore(db: StoreDb, day: number): Promise<void> {
  await db.deleteFrom('netflow_group_day').where('day', '<', day).execute();
  await deleteInParts((limit) =>
    db
      .deleteFrom('netflow_device_day')
      .where(
        sql<boolean>`(incarnation, day) in (select incarnation, day from netflow_device_day where day < ${day} limit ${limit})`,
      ),
  );
}

/** Brings some devices into the sums of the group that they belong to now. False once all are. */
export async function placeSome(db: StoreDb, reading: StoreDb): Promise<boolean> {
  // Most times there are none, and a transaction keeps out all others.
  if ((await misplaced(reading)).length === 0) return false;
  return db.transaction().execute(async (work) => {
    await lockSums(work);
    const devices = await misplaced(work);
    for (const device of devices) await place(work, device);
    return devices.length > 0;
  });
}

interface Misplaced {
  readonly incarnation: number;
  /** Where it is, null: nowhere. */
  readonly place: number | null;
  readonly device_group: number;
  readonly time_zone: string | null;
}

async function misplaced(db: StoreDb): Promise<Misplaced[]> {
  const { rows } = await sql<Misplaced>`
    select i.incarnation, p.device_group as place, d.time_zone,
      coalesce(case when d.disabled = 0 then d.device_group end, 0) as device_group
    from device_incarnation as i
    left join device as d on d.incarnation = i.incarnation
    left join netflow_place as p on p.incarnation = i.incarnation
    where (p.incarnation is null and d.incarnation is not null)
      or p.device_group <> coalesce(case when d.disabled = 0 then d.device_group end, 0)
    order by i.incarnation limit ${sql.lit(DEVICES_A_PART)}`.execute(db);
  return rows;
}

async function place(work: StoreDb, device: Misplaced): Promise<void> {
  const { incarnation, device_group } = device;
  if (device.place === null) await addAllDays(work, incarnation, device.time_zone ?? '');
  for (const table of ['netflow_group_hour', 'netflow_group_day'] as const) {
    if (device.place !== null) await addDevice(work, table, { incarnation, deviceGroup: device.place, sign: -1 });
    await addDevice(work, table, { incarnation, deviceGroup: device_group, sign: 1 });
  }
  await work
    .insertInto('netflow_place')
    .values({ incarnation, device_group })
    .onConflict((conflict) => conflict.column('incarnation').doUpdateSet({ device_group }))
    .execute();
}

interface DeviceInGroup {
  readonly incarnation: number;
  readonly deviceGroup: number;
  readonly sign: 1 | -1;
}

async function addDevice(work: StoreDb, table: Sums, { incarnation, deviceGroup, sign }: DeviceInGroup): Promise<void> {
  if (deviceGroup === 0) return;
  const signed = (column: string) => sql`${sql.lit(sign)} * ${sql.ref(column)}`;
  await addRows(
    work,
    table,
    sql`select ${sql.ref(STEP[table])}, kind, ${bigint(deviceGroup)}, ${signed('received_bytes')}, ${signed('sent_bytes')}
      from ${sql.table(ROWS_OF[table])} where incarnation = ${incarnation}`,
  );
}

async function addRows(work: StoreDb, table: Sums, rows: ReturnType<typeof sql>): Promise<void> {
  const [into, step] = [sql.table(table), sql.ref(STEP[table])];
  await sql`insert into ${into} (${step}, kind, device_group, received_bytes, sent_bytes) ${rows}
    on conflict (${step}, kind, device_group) do update set
      received_bytes = ${into}.received_bytes + excluded.received_bytes,
      sent_bytes = ${into}.sent_bytes + excluded.sent_bytes`.execute(work);
}

/** Of a device that is in no sum yet: from all that is known of it. */
async function addAllDays(work: StoreDb, incarnation: number, timeZone: string): Promise<void> {
  const bytes = sql<number>`sum(received_bytes + sent_bytes)`.as('bytes');
  const [hours, days] = [
    await work
      .selectFrom('netflow_hour')
      .select(['hour_ms', bytes])
      .where('incarnation', '=', incarnation)
      .groupBy('hour_ms')
      .execute(),
    await work
      .selectFrom('netflow_day')
      .select(['day', bytes])
      .where('incarnation', '=', incarnation)
      .groupBy('day')
      .execute(),
  ];
  const sums = new Map<number, number>();
  const add = (day: number, more: number): void => void sums.set(day, (sums.get(day) ?? 0) + more);
  for (const hour of hours) add(dayNumber(hour.hour_ms, timeZone), Number(hour.bytes));
  for (const day of days) add(day.day, Number(day.bytes));
  await addDays(
    work,
    [...sums].map(([day, sum]) => ({ incarnation, day, bytes: sum })),
  );
}

async function addDays(
  work: StoreDb,
  days: readonly { readonly incarnation: number; readonly day: number; readonly bytes: number }[],
): Promise<void> {
  for (let at = 0; at < days.length; at += ROWS_A_STATEMENT) {
    await work
      .insertInto('netflow_device_day')
      .values(days.slice(at, at + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['incarnation', 'day']).doUpdateSet({ bytes: sql`netflow_device_day.bytes + excluded.bytes` }),
      )
      .execute();
  }
}

/** Many rows have few hours and fewer zones, and asking for a day takes longer than all else. */
function rememberedDays(): (hourMs: number, timeZone: string) => number {
  const known = new Map<string, number>();
  return (hourMs, timeZone) => {
    const key = `${hourMs}/${timeZone}`;
    const day = known.get(key) ?? dayNumber(hourMs, timeZone);
    known.set(key, day);
    return day;
  };
}
