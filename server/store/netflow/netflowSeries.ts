// Data usage over time, of the devices that a member group sees. Days come from the sums by device group, and for devices whose place in
// them is not the one that they should have, from their own rows; each is one statement, so that it sees one state of all.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { wholeMonths } from './wholeMonths.ts';

export interface UseOver {
  readonly memberGroup: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** The days that the time touches, YYYYMMDD, both among them. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Device groups; undefined: all. */
  readonly groups: readonly number[] | undefined;
  readonly incarnation: number | undefined;
}

export interface UsePoint {
  /** Begin of the hour, or YYYYMMDD. */
  readonly at: number;
  readonly kind: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

interface DeviceUse {
  readonly deviceId: string;
  readonly name: string;
  readonly bytes: number;
}

export interface NetflowSeriesStore {
  /** From the rows of all devices: for a few days, or for one device. */
  hours(over: UseOver): Promise<UsePoint[]>;
  /** Days of the devices' own time zones. */
  days(over: UseOver): Promise<UsePoint[]>;
  /** The devices that used most on the days. */
  top(over: UseOver, limit: number): Promise<DeviceUse[]>;
}

export function createNetflowSeriesStore(reading: StoreDb): NetflowSeriesStore {
  return {
    hours: async (over) => toPoints((await hoursOf(over).execute(reading)).rows),
    days: async (over) => {
      const statement = over.incarnation === undefined ? daysOfGroups(over) : daysOfDevices(over);
      return toPoints((await statement.execute(reading)).rows);
    },
    top: async (over, limit) => {
      const { rows } = await topOf(over, limit).execute(reading);
      return rows.map(({ device_id, name, bytes }) => ({ deviceId: device_id, name, bytes: Number(bytes) }));
    },
  };
}

interface SummedRow {
  readonly at: number;
  readonly kind: number;
  readonly received: number;
  readonly sent: number;
}

function hoursOf(over: UseOver): RawBuilder<SummedRow> {
  return sql<SummedRow>`
    with ${seen(over)}
    select hour_ms as at, kind, sum(received_bytes) as received, sum(sent_bytes) as sent
    from netflow_hour as u inner join seen_device as s on s.incarnation = u.incarnation
    where hour_ms >= ${over.fromMs} and hour_ms < ${over.toMs} group by hour_ms, kind`;
}

function daysOfDevices(over: UseOver): RawBuilder<SummedRow> {
  return sql<SummedRow>`
    with ${seen(over)}
    select day as at, kind, sum(received_bytes) as received, sum(sent_bytes) as sent
    from netflow_day as u inner join seen_device as s on s.incarnation = u.incarnation
    where day between ${over.firstDay} and ${over.lastDay} group by day, kind`;
}

function daysOfGroups(over: UseOver): RawBuilder<SummedRow> {
  const isInside = sql`day between ${over.firstDay} and ${over.lastDay}`;
  return sql<SummedRow>`
    with ${seen(over)}, misplaced as (
      select s.incarnation, 1 as sign from seen_device as s
      left join netflow_place as p on p.incarnation = s.incarnation
      where p.incarnation is null or p.device_group not in (select device_group from seen_group)
      union all
      select p.incarnation, -1 as sign from netflow_place as p
      left join seen_device as s on s.incarnation = p.incarnation
      where p.device_group in (select device_group from seen_group) and s.incarnation is null
    )
    select at, kind, sum(received) as received, sum(sent) as sent from (
      select day as at, kind, sum(received_bytes) as received, sum(sent_bytes) as sent
      from netflow_group_day where ${isInside} and device_group in (select device_group from seen_group)
      group by day, kind
      union all
      select day as at, kind, sum(sign * received_bytes) as received, sum(sign * sent_bytes) as sent
      from misplaced as m inner join netflow_day as u on u.incarnation = m.incarnation
      where ${isInside} group by day, kind
    ) as part group by at, kind having sum(received) + sum(sent) > 0`;
}

interface TopRow {
  readonly device_id: string;
  readonly name: string;
  readonly bytes: number;
}

function topOf(over: UseOver, limit: number): RawBuilder<TopRow> {
  const { months, days } = wholeMonths(over.firstDay, over.lastDay);
  const parts = days.map(
    ([first, last]) => sql`
      select incarnation, sum(received_bytes + sent_bytes) as bytes
      from netflow_day where day between ${first} and ${last} group by incarnation`,
  );
  const [first, last] = months ?? [0, -1];
  parts.push(sql`select incarnation, bytes from netflow_device_month where month between ${first} and ${last}`);
  return sql<TopRow>`
    with ${seen(over)}
    select d.device_id, d.name, most.bytes from (
      select part.incarnation, sum(part.bytes) as bytes
      from (${sql.join(parts, sql` union all `)}) as part
      inner join seen_device as s on s.incarnation = part.incarnation
      group by part.incarnation order by bytes desc, part.incarnation limit ${sql.lit(limit)}
    ) as most inner join device as d on d.incarnation = most.incarnation
    order by most.bytes desc, most.incarnation`;
}

/** Groups and devices that are asked for, as the first parts of a `with`. */
function seen({ memberGroup, groups, incarnation }: UseOver): RawBuilder<unknown> {
  const some =
    groups === undefined ? sql`` : sql` and device_group in (${sql.join(groups.length === 0 ? [-1] : [...groups])})`;
  const one = incarnation === undefined ? sql`` : sql` and incarnation = ${incarnation}`;
  return sql`seen_group as (
      select device_group from member_group_device_group where member_group = ${memberGroup}${some}
    ), seen_device as (
      select incarnation from device
      where disabled = 0 and device_group in (select device_group from seen_group)${one}
    )`;
}

function toPoints(rows: readonly SummedRow[]): UsePoint[] {
  return rows.map(({ at, kind, received, sent }) => ({
    at: Number(at),
    kind,
    receivedBytes: Number(received),
    sentBytes: Number(sent),
  }));
}
