// The only module that knows `alarm_onset`: when alarms of devices began. Those of devices that are gone are found no more,
// and go with their age.
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';

export interface StoredOnset {
  readonly incarnation: number;
  /** Bit of the alarm word of a position. */
  readonly alarm: number;
  readonly atMs: number;
}

export interface AlarmSummary {
  /** Most frequent first. */
  readonly kinds: readonly { readonly alarm: number; readonly count: number }[];
  /** The busiest first. */
  readonly devices: readonly DeviceAlarms[];
}

export interface AlarmOnsetStore {
  add(onsets: readonly StoredOnset[]): Promise<void>;
  /** What began since then in the device groups: by kind, and the devices with most of it. */
  summary(deviceGroups: readonly number[], sinceMs: number, busiest: number): Promise<AlarmSummary>;
  /** The devices in which this alarm began since then, the busiest first. */
  devicesWith(deviceGroups: readonly number[], alarm: number, sinceMs: number): Promise<DeviceAlarms[]>;
  removeBefore(atMs: number): Promise<void>;
}

export interface DeviceAlarms {
  readonly deviceId: string;
  readonly count: number;
}

const ROWS_PER_STATEMENT = 1_000;

/** `reading`: for what pages show. */
export function createAlarmOnsetStore(db: StoreDb, reading: StoreDb): AlarmOnsetStore {
  return {
    add: async (onsets) => {
      for (let start = 0; start < onsets.length; start += ROWS_PER_STATEMENT) {
        const part = onsets.slice(start, start + ROWS_PER_STATEMENT);
        const rows = part.map(({ incarnation, alarm, atMs }) => ({ incarnation, alarm, at_ms: atMs }));
        await db.insertInto('alarm_onset').values(rows).execute();
      }
    },
    summary: (deviceGroups, sinceMs, busiest) => summarise(reading, { deviceGroups, sinceMs }, busiest),
    devicesWith: async (deviceGroups, alarm, sinceMs) => {
      if (deviceGroups.length === 0) return [];
      const begun = begunSince(reading, { deviceGroups, sinceMs }).where('alarm_onset.alarm', '=', alarm);
      return (await byDevice(reading, begun).execute()).map(toDeviceAlarms);
    },
    removeBefore: async (atMs) => {
      const old = db.selectFrom('alarm_onset').select('id').where('at_ms', '<', atMs).orderBy('at_ms').orderBy('id');
      await deleteInParts((limit) => db.deleteFrom('alarm_onset').where('id', 'in', old.limit(limit)));
    },
  };
}

interface Wanted {
  readonly deviceGroups: readonly number[];
  readonly sinceMs: number;
}

function begunSince(db: StoreDb, { deviceGroups, sinceMs }: Wanted) {
  return db
    .selectFrom('alarm_onset')
    .innerJoin('device', 'device.incarnation', 'alarm_onset.incarnation')
    .where('alarm_onset.at_ms', '>=', sinceMs)
    .where('device.disabled', '=', 0)
    .where('device.device_group', 'in', [...deviceGroups]);
}

function byDevice(db: StoreDb, begun: ReturnType<typeof begunSince>) {
  return begun
    .select(['device.device_id', db.fn.countAll().as('count')])
    .groupBy('device.device_id')
    .orderBy('count', 'desc')
    .orderBy('device.device_id');
}

async function summarise(db: StoreDb, wanted: Wanted, busiest: number): Promise<AlarmSummary> {
  if (wanted.deviceGroups.length === 0) return { kinds: [], devices: [] };
  const begun = begunSince(db, wanted);
  const [kinds, devices] = await Promise.all([
    begun
      .select(['alarm_onset.alarm', db.fn.countAll().as('count')])
      .groupBy('alarm_onset.alarm')
      .execute(),
    byDevice(db, begun).limit(busiest).execute(),
  ]);
  return {
    kinds: kinds
      .map((row) => ({ alarm: row.alarm, count: Number(row.count) }))
      .sort((left, right) => right.count - left.count || left.alarm - right.alarm),
    devices: devices.map(toDeviceAlarms),
  };
}

function toDeviceAlarms(row: { readonly device_id: string; readonly count: number | string | bigint }): DeviceAlarms {
  return { deviceId: row.device_id, count: Number(row.count) };
}
