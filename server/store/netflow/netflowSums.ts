// The only module that writes sums of data usage: `netflow_group_day` with `netflow_place`, and `netflow_device_month`.
// A year of a large fleet has millions of rows; a chart reads some ten thousand sums instead.
//
// The sums of a device group contain exactly the days of the devices that have their place in it. A device that is new, moved, disabled or
// deleted is placed later, one after another, since it has a thousand rows: until then readers correct the sums by its own rows. Within the
// call that moves it, an import of a thousand devices would be a transaction of minutes. There are no sums by the hour: placing a device
// would change five thousand rows, 160 ms of the writer, and the chart by the hour shows a single day.
import { sql } from 'kysely';
import { bigint } from '../engine/bigint.ts';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';

/** By how much a row of `netflow_day` grows. */
export interface DayChange {
  readonly incarnation: number;
  /** YYYYMMDD. */
  readonly day: number;
  readonly kind: number;
  readonly received_bytes: number;
  readonly sent_bytes: number;
}

const ROWS_A_STATEMENT = 500;
/** Some thousand rows, each on a page of its own: less than a tenth of a second. */
const DEVICES_A_PART = 2;

/** At the beginning of each transaction that changes usage or sums: two of them would wait for one another's rows. */
export async function lockSums(work: StoreDb): Promise<void> {
  if (isPostgres(work)) await sql`lock table netflow_place in exclusive mode`.execute(work);
}

/** `groupOf`: where a device has its place; 0: nowhere. */
export async function addToSums(
  work: StoreDb,
  changes: readonly DayChange[],
  groupOf: (incarnation: number) => number,
): Promise<void> {
  await addToGroups(work, changes, groupOf);
  await addToMonths(work, changes);
}

async function addToGroups(
  work: StoreDb,
  changes: readonly DayChange[],
  groupOf: (incarnation: number) => number,
): Promise<void> {
  const sums = new Map<string, { day: number; kind: number; group: number; received: number; sent: number }>();
  for (const { incarnation, day, kind, received_bytes, sent_bytes } of changes) {
    const group = groupOf(incarnation);
    if (group === 0) continue;
    const key = `${day}/${kind}/${group}`;
    const sum = sums.get(key) ?? { day, kind, group, received: 0, sent: 0 };
    sums.set(key, sum);
    sum.received += received_bytes;
    sum.sent += sent_bytes;
  }
  const rows = [...sums.values()];
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const values = rows
      .slice(at, at + ROWS_A_STATEMENT)
      .map(({ day, kind, group, received, sent }) => sql`(${day}, ${kind}, ${group}, ${received}, ${sent})`);
    await addGroupRows(work, sql`values ${sql.join(values)}`);
  }
}

async function addGroupRows(work: StoreDb, rows: ReturnType<typeof sql>): Promise<void> {
  await sql`insert into netflow_group_day (day, kind, device_group, received_bytes, sent_bytes) ${rows}
    on conflict (day, kind, device_group) do update set
      received_bytes = netflow_group_day.received_bytes + excluded.received_bytes,
      sent_bytes = netflow_group_day.sent_bytes + excluded.sent_bytes`.execute(work);
}

async function addToMonths(work: StoreDb, changes: readonly DayChange[]): Promise<void> {
  const months = new Map<string, { incarnation: number; month: number; bytes: number }>();
  for (const { incarnation, day, received_bytes, sent_bytes } of changes) {
    const month = Math.floor(day / 100);
    const key = `${incarnation}/${month}`;
    const sum = months.get(key) ?? { incarnation, month, bytes: 0 };
    months.set(key, sum);
    sum.bytes += received_bytes + sent_bytes;
  }
  const rows = [...months.values()];
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    await work
      .insertInto('netflow_device_month')
      .values(rows.slice(at, at + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict
          .columns(['month', 'incarnation'])
          .doUpdateSet({ bytes: sql`netflow_device_month.bytes + excluded.bytes` }),
      )
      .execute();
  }
}

/** After the days themselves. `day`: YYYYMMDD. */
export async function removeSumsBefore(db: StoreDb, day: number): Promise<void> {
  await db.deleteFrom('netflow_group_day').where('day', '<', day).execute();
  const month = Math.floor(day / 100);
  await db.deleteFrom('netflow_device_month').where('month', '<', month).execute();
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
  /** Where it is; null: it never was anywhere. */
  readonly place: number | null;
  readonly device_group: number;
}

async function misplaced(db: StoreDb): Promise<Misplaced[]> {
  const wanted = sql`coalesce(case when d.disabled = 0 then d.device_group end, 0)`;
  const { rows } = await sql<Misplaced>`
    select i.incarnation, p.device_group as place, ${wanted} as device_group
    from device_incarnation as i
    left join device as d on d.incarnation = i.incarnation
    left join netflow_place as p on p.incarnation = i.incarnation
    where (p.incarnation is null and d.incarnation is not null) or p.device_group <> ${wanted}
    order by i.incarnation limit ${sql.lit(DEVICES_A_PART)}`.execute(db);
  return rows;
}

async function place(work: StoreDb, { incarnation, place: before, device_group }: Misplaced): Promise<void> {
  if (before !== null) await addDevice(work, { incarnation, deviceGroup: before, sign: -1 });
  await addDevice(work, { incarnation, deviceGroup: device_group, sign: 1 });
  await work
    .insertInto('netflow_place')
    .values({ incarnation, device_group })
    .onConflict((conflict) => conflict.column('incarnation').doUpdateSet({ device_group }))
    .execute();
}

interface DeviceInGroup {
  readonly incarnation: number;
  readonly deviceGroup: number;
  /** -1: it leaves. */
  readonly sign: 1 | -1;
}

async function addDevice(work: StoreDb, { incarnation, deviceGroup, sign }: DeviceInGroup): Promise<void> {
  if (deviceGroup === 0) return;
  const signed = (column: string) => sql`${sql.lit(sign)} * ${sql.ref(column)}`;
  await addGroupRows(
    work,
    sql`select day, kind, ${bigint(deviceGroup)}, ${signed('received_bytes')}, ${signed('sent_bytes')}
      from netflow_day where incarnation = ${incarnation}`,
  );
}
