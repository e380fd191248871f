import type { Generated } from 'kysely';

export interface FleetTables {
  position: PositionTable;
  online_history: OnlineHistoryTable;
  camera_wall: CameraWallTable;
  position_block: PositionBlockTable;
  presence_session: PresenceSessionTable;
}

export interface PositionTable {
  id: Generated<number>;
  incarnation: number;
  /** The device's clock. */
  device_time_ms: number;
  /** The gateway's clock. */
  received_at_ms: number;
  latitude: number;
  longitude: number;
  altitude_m: number;
  speed_kmh: number;
  heading_deg: number;
  /** The report's two flag words as they came. */
  alarm_bits: number;
  status_bits: number;
  /** JSON object of the additional items. */
  extra: string;
  /** 1: recorded without a connection, and sent afterwards. */
  late: Generated<number>;
  /** What the items say, so that nobody need read them; null where they don't, and in rows from before these columns. */
  mileage_km: Generated<number | null>;
  fuel_liters: Generated<number | null>;
  cabin_celsius: Generated<number | null>;
  /** Item 0x30. */
  signal: Generated<number | null>;
}

/** Positions of one device that are older than two days, in the order of its clock. */
export interface PositionBlockTable {
  id: Generated<number>;
  incarnation: number;
  /** The device's clock at the first and the last of them. */
  from_ms: number;
  to_ms: number;
  /** The gateway's clock when the first and the last of them came. The first is 0 where an earlier program packed them. */
  received_from_ms: Generated<number>;
  received_to_ms: number;
  count: number;
  /** Around those with a place; south above north where none has one. */
  south: number;
  west: number;
  north: number;
  east: number;
  data: Uint8Array;
}

/** Times are the gateway's. */
interface PresenceSessionTable {
  id: Generated<number>;
  incarnation: number;
  from_ms: number;
  /** 0 while it lasts. */
  to_ms: Generated<number>;
  /** When the terminal was last heard of, noted each minute: where a session that a crash left open ended. */
  seen_at_ms: number;
  /** Number in PRESENCE_ENDS; 0 while it lasts. */
  reason: Generated<number>;
}

/** Sums over the samples of an interval, by device group. */
interface OnlineHistoryTable {
  step_ms: number;
  at_ms: number;
  device_group: number;
  online: number;
  total: number;
}

export interface CameraWallTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** JSON list of devices and channels. */
  channels: string;
  /** 0: it stays. */
  cycle_seconds: number;
}
