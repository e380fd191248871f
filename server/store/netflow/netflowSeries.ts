// Data usage over time, of the devices that a member group sees.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';

export interface UseOver {
  readonly memberGroup: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** The days of the same time, YYYYMMDD, without the last. */
  readonly fromDay: number;
  readonly toDay: number;
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
  /** The devices that used most. */
  top(over: UseOver, limit: number): Promise<DeviceUse[]>;
}

export function createNetflowSeriesStore(reading: StoreDb): NetflowSeriesStore {
  return {
    hours: async (over) => toPoints(await summed(hoursOf(reading, over), 'netflow_hour.hour_ms').execute()),
    days: async (over) => toPoints(await summed(daysOf(reading, over), 'netflow_day.day').execute()),
    top: async (over, limit) => {
      const bytes = sql<number>`sum(received_bytes + sent_bytes)`;
      const perDevice = await Promise.all([
        hoursOf(reading, over)
          .select(['device.device_id', 'device.name', bytes.as('bytes')])
          .groupBy(DEVICE)
          .execute(),
        daysOf(reading, over)
          .select(['device.device_id', 'device.name', bytes.as('bytes')])
          .groupBy(DEVICE)
          .execute(),
      ]);
      const sums = new Map<string, DeviceUse>();
      for (const row of perDevice.flat()) {
        const before = sums.get(row.device_id)?.bytes ?? 0;
        sums.set(row.device_id, { deviceId: row.device_id, name: row.name, bytes: before + Number(row.bytes) });
      }
      return [...sums.values()].sort((left, right) => right.bytes - left.bytes).slice(0, limit);
    },
  };
}

const DEVICE = ['device.device_id', 'device.name'] as const;

function hoursOf(db: StoreDb, over: UseOver) {
  return db
    .selectFrom('netflow_hour')
    .innerJoin('device', 'device.incarnation', 'netflow_hour.incarnation')
    .where('netflow_hour.hour_ms', '>=', over.fromMs)
    .where('netflow_hour.hour_ms', '<', over.toMs)
    .where(seenBy(over));
}

function daysOf(db: StoreDb, over: UseOver) {
  return db
    .selectFrom('netflow_day')
    .innerJoin('device', 'device.incarnation', 'netflow_day.incarnation')
    .where('netflow_day.day', '>=', over.fromDay)
    .where('netflow_day.day', '<', over.toDay)
    .where(seenBy(over));
}

function seenBy({ memberGroup, groups, incarnation }: UseOver) {
  const own = sql<boolean>`device.device_group in (select device_group from member_group_device_group where member_group = ${memberGroup})`;
  const some =
    groups === undefined
      ? sql``
      : sql` and device.device_group in (${sql.join(groups.length === 0 ? [-1] : [...groups])})`;
  const one = incarnation === undefined ? sql`` : sql` and device.incarnation = ${incarnation}`;
  return sql<boolean>`(device.disabled = 0 and ${own}${some}${one})`;
}

function summed(rows: ReturnType<typeof hoursOf> | ReturnType<typeof daysOf>, at: string) {
  return (rows as ReturnType<typeof hoursOf>)
    .select([sql.ref<number>(at).as('at'), 'kind'])
    .select(({ fn }) => [fn.sum<number>('received_bytes').as('received'), fn.sum<number>('sent_bytes').as('sent')])
    .groupBy([sql.ref(at), 'kind']);
}

interface SummedRow {
  readonly at: number;
  readonly kind: number;
  readonly received: number;
  readonly sent: number;
}

function toPoints(rows: readonly SummedRow[]): UsePoint[] {
  return rows.map(({ at, kind, received, sent }) => ({
    at: Number(at),
    kind,
    receivedBytes: Number(received),
    sentBytes: Number(sent),
  }));
}
