// A year of events of a large fleet, made by the database itself.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { severityOrder } from '../../../server/store/events/list/severityOrder.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../support/newDeviceRecord.ts';

export const DEVICES = 10_000;
const GROUPS = 200;
const TYPES = 40;
export const NOW_MS = 1_795_000_000_000;
export const YEAR_MS = 365 * 86_400_000;
const ROWS_A_STATEMENT = 250_000;
const MONTHS = 14;
const ASSIGNEES = 20;

export interface Filled {
  readonly memberGroup: number;
  readonly groups: readonly number[];
}

export async function fill(db: StoreDb, stores: Stores, isPostgres: boolean, events: number): Promise<Filled> {
  const memberGroup = await stores.memberGroups.insert({ name: 'All' });
  const groups: number[] = [];
  for (let at = 0; at < GROUPS; at++) groups.push(await stores.deviceGroups.insert(`Depot ${at}`));
  await stores.memberGroups.setDeviceGroups(memberGroup, groups);
  const added = Array.from({ length: DEVICES }, (_, at) =>
    newDeviceRecord(`DEV${at}`, { name: `Bus ${at}`, plate: `ABC-${at}`, deviceGroup: groups[at % GROUPS] }),
  );
  await stores.deviceRecords.import({ added, changed: [] }, wallMs(NOW_MS));
  await stores.eventMonths.addMonths(NOW_MS - YEAR_MS, MONTHS);
  const firstAssignee = await addAssignees(stores);
  for (let from = 0; from < events; from += ROWS_A_STATEMENT) {
    await addEvents(db, isPostgres, { from, to: Math.min(events, from + ROWS_A_STATEMENT), events, firstAssignee });
  }
  await sql`insert into event_driver (name, search_key)
    select distinct driver, lower(driver) from event where driver <> ''`.execute(db);
  await sql.raw(isPostgres ? 'vacuum analyze' : 'analyze').execute(db);
  return { memberGroup, groups };
}

/** Gives the id of the first assignee; the ids of the others follow it. */
async function addAssignees({ users }: Stores): Promise<number> {
  const ids: number[] = [];
  for (let at = 0; at < ASSIGNEES; at++) {
    ids.push(await users.insert({ username: assigneeName(at), passwordHash: '', permissions: [] }, wallMs(NOW_MS)));
  }
  return ids[0] ?? 0;
}

export const assigneeName = (at: number): string => `operator-${at}`;

interface Part {
  readonly from: number;
  readonly to: number;
  readonly events: number;
  readonly firstAssignee: number;
}

/**
 * Adds events as a fleet has them: mostly of low severity and mostly closed; those of the last two days are not closed yet, and a
 * few of these still last. Every tenth has an assignee. Each device has events of all kinds: `y` shuffles the numbers of the events
 * (the generator of Lewis, Goodman and Miller), so that nothing depends on the device but its driver.
 */
async function addEvents(db: StoreDb, isPostgres: boolean, { from, to, events, firstAssignee }: Part): Promise<void> {
  const stepMs = YEAR_MS / events;
  const severity = 'case when y % 100 < 1 then 0 when y % 100 < 15 then 1 when y % 100 < 50 then 2 else 3 end';
  const begin = sql.raw(`cast(${NOW_MS - YEAR_MS} + x * ${stepMs} as bigint)`);
  const isOld = sql.raw(`x < ${Math.floor(events * (1 - 2 / 365))}`);
  const numbers: RawBuilder<unknown> = isPostgres
    ? sql`(select x from generate_series(${sql.raw(String(from))}::bigint, ${sql.raw(String(to - 1))}::bigint) as g(x)) as n`
    : sql`(with recursive n(x) as (select ${sql.raw(String(from))} union all select x + 1 from n where x < ${sql.raw(String(to - 1))})
        select x from n) as n`;
  const step = severityOrder(2, 0);
  const end = sql`case when ${isOld} or x % 50 <> 0 then begun + 10000 else 0 end`;
  const assignee = sql`case when x % 10 = 0 then ${sql.raw(String(firstAssignee))} + x / 10 % ${sql.raw(String(ASSIGNEES))} end`;
  await sql`insert into event (archive_number, type, origins, severity, severity_order, status, source, unit, area, begin_at_ms,
      end_at_ms, device_time_ms, last_seen_at_ms, count, value, limit_value, latitude, longitude, speed_kmh, heading_deg,
      end_latitude, end_longitude, end_speed_kmh, end_heading_deg, driver, rule, late, alarm_mark, edition, assignee, reason,
      media, acknowledged_at_ms, closed_at_ms, version)
    select archive, type, 0, severity, (3 - severity) * ${sql.raw(String(step))} + begun, status, 0, 0, 0, begun, ${end},
      begun, begun + 10000, 1, null, null, 24.1, 121.5, 60, 90, 24.1, 121.5, 60, 90, driver, 0, late, '', '2019', ${assignee},
      '', media, 0, 0, 1
    from (select 1 + (x * 7919) % ${sql.raw(String(DEVICES))} as archive, x, 'type-' || (y / 100 % ${sql.raw(String(TYPES))}) as type,
      ${sql.raw(severity)} as severity, ${begin} as begun,
      case when ${isOld} then (case when x % 5000 = 0 then 1 else 3 + y / 4000 % 2 end) else x % 3 end as status,
      'Driver ' || ((x * 7919) % 3000) as driver, case when y / 8000 % 20 = 0 then 1 else 0 end as late,
      case when y / 160000 % 5 = 0 then (case when y / 800000 % 2 = 0 then 5 else 4 end) else 0 end as media from (select x, x * 16807 % 2147483647 as y from ${numbers}) as shuffled) as made`.execute(
    db,
  );
}
