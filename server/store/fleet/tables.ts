import type { Generated } from 'kysely';

export interface FleetTables {
  position: PositionTable;
  online_history: OnlineHistoryTable;
  camera_wall: CameraWallTable;
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
}

/** Sums over the samples of an interval, by device group. */
export interface OnlineHistoryTable {
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
