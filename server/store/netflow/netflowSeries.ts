// Data usage over time, of the devices that a member group sees: from the sums by device group, and for devices whose place in them is not
// the one that they should have, from their own rows. Each is one statement, so that it sees one state of all.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';

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

export interface DeviceUse {
  readonly deviceId: string;
  readonly name: string;
  readonly bytes: number;
}

export interface NetflowSeriesStore {
  hours(over: UseOver): Promise<UsePoint[]>;
  days(over: UseOver): Promise<UsePoint[]>;
  /** The devices that used most on the days, in the devices' own zones. */
  top(over: UseOver, limit: number): Promise<DeviceUse[]>;
}

export function createNetflowSeriesStore(reading: StoreDb): NetflowSeriesStore {
  const points = async (time: Time, over: UseOver): Promise<UsePoint[]> => {
    const statement = over.incarnation === undefined ? ofGroups(time, over) : ofDevices(time, over);
    return toPoints((await statement.execute(reading)).rows);
  };
  return {
    hours: (over) => points(hoursOf(over), over),
    days: (over) => points(daysOf(over), over),
    top: async (over, limit) => {
      const { rows } = await topOf(over, limit).execute(reading);
      return rows.map(({ device_id, name, bytes }) => ({ deviceId: device_id, name, bytes: Number(bytes) }));
    },
  };
}

interface Time {
  readonly rows: RawBuilder<unknown>;
  readonly sums: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  readonly isInside: RawBuilder<unknown>;
}

function hoursOf({ fromMs, toMs }: UseOver): Time {
  return {
    rows: sql.table('netflow_hour'),
    sums: sql.table('netflow_group_hour'),
    column: sql.ref('hour_ms'),
    isInside: sql`hour_ms >= ${fromMs} and hour_ms < ${toMs}`,
  };
}

function daysOf({ firstDay, lastDay }: UseOver): Time {
  return {
    rows: sql.table('netflow_day'),
    sums: sql.table('netflow_group_day'),
    column: sql.ref('day'),
    isInside: sql`day between ${firstDay} and ${lastDay}`,
  };
}

interface SummedRow {
  readonly at: number;
  readonly kind: number;
  readonly received: number;
  readonly sent: number;
}

function ofDevices({ rows, column, isInside }: Time, over: UseOver): RawBuilder<SummedRow> {
  return sql<SummedRow>`
    with ${seen(over)}
    select ${column} as at, kind, sum(received_bytes) as received, sum(sent_bytes) as sent
    from ${rows} as u inner join seen_device as s on s.incarnation = u.incarnation
    where ${isInside} group by ${column}, kind`;
}

function ofGroups({ rows, sums, column, isInside }: Time, over: UseOver): RawBuilder<SummedRow> {
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
      select ${column} as at, kind, sum(received_bytes) as received, sum(sent_bytes) as sent
      from ${sums} where ${isInside} and device_group in (select device_group from seen_group)
      group by ${column}, kind
      union all
      select ${column} as at, kind, sum(sign * received_bytes) as received, sum(sign * sent_bytes) as sent
      from misplaced as m inner join ${rows} as u on u.incarnation = m.incarnation
      where ${isInside} group by ${column}, kind
    ) as part group by at, kind having sum(received) + sum(sent) > 0`;
}

interface TopRow {
  readonly device_id: string;
  readonly name: string;
  readonly bytes: number;
}

function topOf(over: UseOver, limit: number): RawBuilder<TopRow> {
  const unplaced = ({ rows, isInside }: Time): RawBuilder<unknown> => sql`
    select u.incarnation, sum(received_bytes + sent_bytes) as bytes
    from unplaced as n inner join ${rows} as u on u.incarnation = n.incarnation
    where ${isInside} group by u.incarnation`;
  return sql<TopRow>`
    with ${seen(over)}, unplaced as (
      select s.incarnation from seen_device as s
      left join netflow_place as p on p.incarnation = s.incarnation where p.incarnation is null
    )
    select d.device_id, d.name, most.bytes from (
      select incarnation, sum(bytes) as bytes from (
        select u.incarnation, sum(u.bytes) as bytes
        from seen_device as s inner join netflow_device_day as u on u.incarnation = s.incarnation
        where ${daysOf(over).isInside} group by u.incarnation
        union all ${unplaced(hoursOf(over))}
        union all ${unplaced(daysOf(over))}
      ) as part group by incarnation order by bytes desc, incarnation limit ${sql.lit(limit)}
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
