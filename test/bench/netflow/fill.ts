// A year of data usage of a large fleet, made by the database itself.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { NETFLOW_HOURS_KEPT_DAYS } from '../../../shared/protocol/api/netflow/netflow.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { newDeviceRecord } from '../../support/newDeviceRecord.ts';

const GROUPS = 200;
export const NOW_MS = Date.UTC(2026, 10, 24, 12);
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
export const YEAR_DAYS = 365;
const PLANS = 5;
/** Hours of a day with usage, which are all: parked vehicles send little, but it is counted. */
const HOURS_A_DAY = 24;
const DAYS_A_STATEMENT = 7;
/** Signalling and positions always, recording for most, and live video now and then. */
const IS_USED = 'k in (0, 1) or (k = 3 and (i + at) % 3 <> 0) or (k = 2 and (i + at) % 5 = 0)';

export interface Filled {
  readonly memberGroup: number;
  readonly groups: readonly number[];
  readonly incarnation: number;
}

export async function fill(db: StoreDb, stores: Stores, isPostgres: boolean, devices: number): Promise<Filled> {
  const memberGroup = await stores.memberGroups.insert({ name: 'All' });
  const groups: number[] = [];
  for (let at = 0; at < GROUPS; at++) groups.push(await stores.deviceGroups.insert(`Depot ${at}`));
  await stores.memberGroups.setDeviceGroups(memberGroup, groups);
  const added = Array.from({ length: devices }, (_, at) =>
    newDeviceRecord(`DEV${at}`, {
      name: `Bus ${(at * 7_919) % devices}`,
      plate: `ABC-${at}`,
      deviceGroup: groups[at % GROUPS],
    }),
  );
  await stores.deviceRecords.import({ added, changed: [] }, wallMs(NOW_MS));
  await addSims(db, stores, memberGroup);
  await addSums(db);
  for (let ago = YEAR_DAYS; ago > 0; ago -= DAYS_A_STATEMENT) {
    await addDays(db, isPostgres, daysBefore(ago, Math.max(0, ago - DAYS_A_STATEMENT)));
  }
  await sql`insert into netflow_device_month (incarnation, month, bytes)
    select incarnation, day / 100, sum(received_bytes + sent_bytes) from netflow_day group by incarnation, day / 100`.execute(
    db,
  );
  for (let ago = NETFLOW_HOURS_KEPT_DAYS; ago > 0; ago--) await addHours(db, isPostgres, NOW_MS - ago * DAY_MS);
  await analyze(db, isPostgres);
  const device = db.selectFrom('device').select('incarnation').where('device_id', '=', 'DEV77');
  return { memberGroup, groups, incarnation: (await device.executeTakeFirstOrThrow()).incarnation };
}

/** Updates the statistics, as the databases do by themselves in time. */
export async function analyze(db: StoreDb, isPostgres: boolean): Promise<void> {
  await sql.raw(isPostgres ? 'vacuum analyze' : 'analyze').execute(db);
}

/** One device in ten has no plan. */
async function addSims(db: StoreDb, { simPlans }: Stores, memberGroup: number): Promise<void> {
  for (let at = 0; at < PLANS; at++) {
    const name = `Plan ${at}`;
    const plan = { megabytes: 1_000 * (at + 1), resetDay: 1, timeZone: 'UTC', price: '', action: 'none' } as const;
    await simPlans.insert({ memberGroup }, { content: { name, ...plan }, by: 'bench', atMs: 1 });
  }
  await sql`insert into device_sim (incarnation, plan)
    select incarnation, (select min(id) from sim_plan) + incarnation % ${sql.lit(PLANS)} from device
    where incarnation % 10 <> 0`.execute(db);
}

/** Adds the sums that the list of devices shows. */
async function addSums(db: StoreDb): Promise<void> {
  await sql`insert into netflow_device
      (incarnation, from_ms, to_ms, received_bytes, sent_bytes, kinds, today, today_bytes, forecast_bytes, days)
    select incarnation, ${NOW_MS - 23 * DAY_MS}, ${NOW_MS + 7 * DAY_MS}, (incarnation * 529000001) % 5000000000,
      (incarnation * 31) % 20000000, '[1,2,3,4,0,0,0,0,0]', ${Math.floor(NOW_MS / DAY_MS)}, (incarnation * 7919003) % 200000000,
      (incarnation * 622473701) % 6000000000, '[]' from device`.execute(db);
}

/** Days as YYYYMMDD, from the earlier to the later, without the later. */
function daysBefore(from: number, to: number): number[] {
  return Array.from({ length: from - to }, (_, at) => dayNumber(NOW_MS - (from - at) * DAY_MS, 'UTC'));
}

async function addDays(db: StoreDb, isPostgres: boolean, days: readonly number[]): Promise<void> {
  await addUse(db, isPostgres, { table: 'netflow_day', step: 'day', times: days, bytes: 2_000_000 });
}

async function addHours(db: StoreDb, isPostgres: boolean, fromMs: number): Promise<void> {
  const times = Array.from({ length: HOURS_A_DAY }, (_, at) => fromMs + at * HOUR_MS);
  await addUse(db, isPostgres, { table: 'netflow_hour', step: 'hour_ms', times, bytes: 100_000 });
}

interface Use {
  readonly table: 'netflow_day' | 'netflow_hour';
  readonly step: 'day' | 'hour_ms';
  readonly times: readonly number[];
  readonly bytes: number;
}

async function addUse(db: StoreDb, isPostgres: boolean, { table, step, times, bytes }: Use): Promise<void> {
  const rows = times.map((time, at) => `(${at}, ${time})`).join(', ');
  const kinds = '(0), (1), (2), (3)';
  const steps: RawBuilder<unknown> = isPostgres
    ? sql.raw(`(values ${rows}) as t(at, time) cross join (values ${kinds}) as n(k)`)
    : sql.raw(`(select column1 as at, column2 as time from (values ${rows})) as t
        cross join (select column1 as k from (values ${kinds})) as n`);
  // The rows are in the order of time, as they come.
  await sql`insert into ${sql.table(table)} (incarnation, ${sql.ref(step)}, kind, received_bytes, sent_bytes)
    select i, time, k, ${sql.lit(bytes)} + (i * 31 + at * 7 + k) % 1000, (i + at) % 5000
    from ${steps} cross join (select incarnation as i from device) as d
    where ${sql.raw(IS_USED)} order by time, i, k`.execute(db);
}
