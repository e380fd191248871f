import type { Generated } from 'kysely';

export interface NetflowTables {
  netflow_hour: NetflowHourTable;
  netflow_day: NetflowDayTable;
  sim_plan: SimPlanTable;
  device_sim: DeviceSimTable;
}

interface UseColumns {
  incarnation: number;
  /** Number in NETFLOW_KINDS. */
  kind: number;
  /** Payload as the gateway's sockets count it, from the device and to it. */
  received_bytes: number;
  sent_bytes: number;
}

export interface NetflowHourTable extends UseColumns {
  /** Its begin, by the gateway's clock. */
  hour_ms: number;
}

/** Of hours that are older than NETFLOW_HOURS_KEPT_DAYS. */
export interface NetflowDayTable extends UseColumns {
  /** YYYYMMDD in the device's time zone as it was when the hours were put together. */
  day: number;
}

export interface SimPlanTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  /** By which it is sorted and found. */
  name_key: string;
  megabytes: number;
  reset_day: number;
  time_zone: string;
  price: string;
  /** One of PLAN_ACTIONS. */
  action: string;
  version: Generated<number>;
}

export interface DeviceSimTable {
  incarnation: number;
  number: Generated<string>;
  iccid: Generated<string>;
  plan: number | null;
  /** YYYY-MM-DD; '' for none. */
  expiry_day: Generated<string>;
  /** The plan's action doesn't hold until then. */
  lifted_until_ms: Generated<number>;
  lifted_by: Generated<string>;
  /** What was told of the period that begins at `told_from_ms`: the highest level, and whether its forecast was. */
  told_from_ms: Generated<number>;
  told_percent: Generated<number>;
  told_forecast: Generated<number>;
  version: Generated<number>;
}
