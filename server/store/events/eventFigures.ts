// How many events began, by type and by device: the dashboard's figures. Reports aren't counted: a terminal repeats an active alarm in each
// of them, so that their number shows how often a vehicle reports.
import type { StoreDb } from '../engine/database.ts';

interface EventSummary {
  /** Most frequent first. */
  readonly types: readonly { readonly type: string; readonly count: number }[];
  /** The busiest first. */
  readonly devices: readonly DeviceEventCount[];
}

export interface DeviceEventCount {
  readonly deviceId: string;
  readonly count: number;
}

export interface EventFigureStore {
  /** What began since then in the device groups: by type, and the devices with most of it. */
  summary(deviceGroups: readonly number[], sinceMs: number, busiest: number): Promise<EventSummary>;
  /** The devices in which an event of this type began since then, the busiest first. */
  devicesWith(deviceGroups: readonly number[], type: string, sinceMs: number): Promise<DeviceEventCount[]>;
}

/** `reading`: for what pages show. */
export function createEventFigureStore(reading: StoreDb): EventFigureStore {
  return {
    summary: (deviceGroups, sinceMs, busiest) => summarize(reading, { deviceGroups, sinceMs }, busiest),
    devicesWith: async (deviceGroups, type, sinceMs) => {
      if (deviceGroups.length === 0) return [];
      const begun = begunSince(reading, { deviceGroups, sinceMs }).where('event.type', '=', type);
      return (await byDevice(reading, begun).execute()).map(toDeviceCount);
    },
  };
}

interface Wanted {
  readonly deviceGroups: readonly number[];
  readonly sinceMs: number;
}

function begunSince(db: StoreDb, { deviceGroups, sinceMs }: Wanted) {
  return db
    .selectFrom('event')
    .innerJoin('device', 'device.archive_number', 'event.archive_number')
    .where('event.begin_at_ms', '>=', sinceMs)
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

async function summarize(db: StoreDb, wanted: Wanted, busiest: number): Promise<EventSummary> {
  if (wanted.deviceGroups.length === 0) return { types: [], devices: [] };
  const begun = begunSince(db, wanted);
  const [types, devices] = await Promise.all([
    begun
      .select(['event.type', db.fn.countAll().as('count')])
      .groupBy('event.type')
      .orderBy('count', 'desc')
      .orderBy('event.type')
      .execute(),
    byDevice(db, begun).limit(busiest).execute(),
  ]);
  return {
    types: types.map(({ type, count }) => ({ type, count: Number(count) })),
    devices: devices.map(toDeviceCount),
  };
}

function toDeviceCount(row: {
  readonly device_id: string;
  readonly count: number | string | bigint;
}): DeviceEventCount {
  return { deviceId: row.device_id, count: Number(row.count) };
}
