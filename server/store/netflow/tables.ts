import type { Generated } from 'kysely';

export interface NetflowTables {
  netflow_hour: NetflowHourTable;
  netflow_day: NetflowDayTable;
  netflow_device: NetflowDeviceTable;
  netflow_place: NetflowPlaceTable;
  netflow_group_day: NetflowGroupDayTable;
  netflow_device_month: NetflowDeviceMonthTable;
  netflow_withheld: NetflowWithheldTable;
  sim_plan: SimPlanTable;
  device_sim: DeviceSimTable;
}

interface KindColumns {
  /** Number in NETFLOW_KINDS. */
  kind: number;
  /** Payload as counted by the gateway's sockets, from the device and to it. */
  received_bytes: number;
  sent_bytes: number;
}

interface UseColumns extends KindColumns {
  incarnation: number;
}

export interface NetflowHourTable extends UseColumns {
  /** Begin of the hour, by the gateway's clock. */
  hour_ms: number;
}

interface NetflowDayTable extends UseColumns {
  /** YYYYMMDD in the device's time zone as it was when the usage was written. An hour counts for the day in which it begins. */
  day: number;
}

/** The device group whose sums contain a device's days. Without a row, no group's sums do. */
interface NetflowPlaceTable {
  incarnation: number;
  /** 0: none. */
  device_group: number;
}

/** Sums of `netflow_day` over the devices that are assigned to a group. */
interface NetflowGroupDayTable extends KindColumns {
  day: number;
  device_group: number;
}

/** Sums of `netflow_day` by month, over all kinds and both directions. */
interface NetflowDeviceMonthTable {
  incarnation: number;
  /** YYYYMM. */
  month: number;
  bytes: number;
}

/** Times in which a data plan left recordings of a device without video. */
interface NetflowWithheldTable {
  incarnation: number;
  from_ms: number;
  /** The end; while it goes on, the last written one. */
  to_ms: number;
  /** 0: sub streams could still be recorded. */
  is_all: number;
}

/** Running sums: a list of 10,000 devices by usage would add up a month of hours for each, in every order. Payload, as above. */
export interface NetflowDeviceTable {
  incarnation: number;
  /** The period that was current when the row was written. */
  from_ms: number;
  to_ms: number;
  received_bytes: number;
  sent_bytes: number;
  /** JSON: bytes of each kind, in both directions. */
  kinds: string;
  /** Days since 1970, in the device's time zone. */
  today: number;
  today_bytes: number;
  /** Expected bytes by the end of the period; -1: unknown. */
  forecast_bytes: number;
  /** JSON: [day since 1970, bytes] of the last weeks, including today. */
  days: string;
}

interface SimPlanTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  /** Key for sorting and searching. */
  name_key: string;
  megabytes: number;
  reset_day: number;
  time_zone: string;
  price: string;
  /** One of PLAN_ACTIONS. */
  action: string;
  version: Generated<number>;
}

interface DeviceSimTable {
  incarnation: number;
  number: Generated<string>;
  iccid: Generated<string>;
  plan: number | null;
  /** YYYY-MM-DD; '' for none. */
  expiry_day: Generated<string>;
  /** The plan's action is suspended until then. */
  lifted_until_ms: Generated<number>;
  lifted_by: Generated<string>;
  /** Notifications sent for the period that begins at `told_from_ms`: the highest level, and whether its forecast was notified. */
  told_from_ms: Generated<number>;
  told_percent: Generated<number>;
  told_forecast: Generated<number>;
  version: Generated<number>;
}
