import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { dayNumber, startOfDay, wallClockMs } from '../../../shared/protocol/timeZones.ts';
import type { Engine, Migration } from './migration.ts';

const DAY_MS = 86_400_000;

/**
 * Days have the usage of all hours from now on, and not only of those that are deleted. Sums by device group are empty at first: devices
 * are added to them one after another while the gateway runs, and until then their own rows are read.
 */
export const netflowSums: Migration = {
  version: 30,
  name: 'data usage of all days, and sums of it by device group and by month',
  async up(db, engine) {
    await createPlace(db);
    await createGroupDays(db, engine);
    await createMonths(db, engine);
    await addHoursToDays(db);
    await sql`insert into netflow_device_month (incarnation, month, bytes)
      select incarnation, day / 100, sum(received_bytes + sent_bytes) from netflow_day group by incarnation, day / 100`.execute(
      db,
    );
  },
};

async function createPlace({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('netflow_place')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('device_group', 'bigint', (c) => c.notNull())
    .execute();
}

async function createGroupDays({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = schema
    .createTable('netflow_group_day')
    .addColumn('day', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('device_group', 'bigint', (c) => c.notNull())
    .addColumn('received_bytes', 'bigint', (c) => c.notNull())
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
    // What a reader adds up lies together in this order.
    .addPrimaryKeyConstraint('netflow_group_day_key', ['day', 'kind', 'device_group']);
  await inOrderOfKey(columns, engine).execute();
}

async function createMonths({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = schema
    .createTable('netflow_device_month')
    .addColumn('month', 'bigint', (c) => c.notNull())
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('netflow_device_month_key', ['month', 'incarnation']);
  await inOrderOfKey(columns, engine).execute();
}

/** PostgreSQL has no such tables. */
function inOrderOfKey<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
  engine: Engine,
): CreateTableBuilder<Table, Columns> {
  return engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table;
}

/** By the days of each time zone: what some ten statements do, row by row would take minutes. */
async function addHoursToDays(db: Kysely<unknown>): Promise<void> {
  const span = await sql<{ first: number | null; last: number | null }>`
    select min(hour_ms) as first, max(hour_ms) as last from netflow_hour`.execute(db);
  const { first, last } = span.rows[0] ?? { first: null, last: null };
  if (first === null || last === null) return;
  const zones = await sql<{ zone: string }>`select distinct time_zone as zone from device union select ''`.execute(db);
  for (const { zone } of zones.rows) {
    const [from, to] = [first, last].map((ms) => Math.floor(wallClockMs(Number(ms), zone) / DAY_MS));
    for (let day = from ?? 0; day <= (to ?? -1); day++) await addDay(db, zone, day);
  }
}

/** `day`: since 1970. Devices that were deleted are in no time zone. */
async function addDay(db: Kysely<unknown>, zone: string, day: number): Promise<void> {
  const number = sql.lit(dayNumber(startOfDay(day, zone), zone));
  await sql`insert into netflow_day (incarnation, day, kind, received_bytes, sent_bytes)
    select h.incarnation, ${number}, h.kind, sum(h.received_bytes), sum(h.sent_bytes)
    from netflow_hour as h left join device as d on d.incarnation = h.incarnation
    where h.hour_ms >= ${startOfDay(day, zone)} and h.hour_ms < ${startOfDay(day + 1, zone)} and coalesce(d.time_zone, '') = ${zone}
    group by h.incarnation, h.kind
    on conflict (incarnation, day, kind) do update set
      received_bytes = netflow_day.received_bytes + excluded.received_bytes,
      sent_bytes = netflow_day.sent_bytes + excluded.sent_bytes`.execute(db);
}
