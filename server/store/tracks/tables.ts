import type { Generated } from 'kysely';

// Times are by the gateway's clock; `clock_offset_ms` is how far it was ahead of the device's at that time. Names of places are not stored:
// they belong to the reader's geofences, and a device may belong to several member groups.
export interface TrackTables {
  device_clock: DeviceClockTable;
  trip: TripTable;
  stop: StopTable;
  track_gap: TrackGapTable;
  track_day: TrackDayTable;
  track_state: TrackStateTable;
  track_dirty: TrackDirtyTable;
  driver_session: DriverSessionTable;
  passenger_count: PassengerCountTable;
}

/** How far the gateway's clock is ahead of the device's, from a moment of the device's clock on. Written when it changes. */
interface DeviceClockTable {
  incarnation: number;
  device_from_ms: number;
  offset_ms: number;
}

export interface TripTable {
  id: Generated<number>;
  incarnation: number;
  /** '' for an unknown one. */
  driver: string;
  from_ms: number;
  /** For a trip under way, the time of the last position so far. */
  to_ms: number;
  clock_offset_ms: number;
  /** 1: under way. */
  is_open: number;
  from_latitude: number;
  from_longitude: number;
  to_latitude: number;
  to_longitude: number;
  metres: number;
  /** 1: by the odometer; 0: by the line. */
  is_odometer: number;
  /** 1: the odometer disagrees with the line, which counts. */
  odometer_differs: Generated<number>;
  moving_ms: number;
  /** Standing with the ignition on. */
  idle_ms: number;
  max_speed_kmh: number;
  /** Mean over the time in which it moved. */
  mean_speed_kmh: number;
  odometer_from_km: number | null;
  odometer_to_km: number | null;
  /** Fuel used; null where the level isn't reported. */
  fuel_liters: number | null;
}

export interface StopTable {
  id: Generated<number>;
  incarnation: number;
  from_ms: number;
  to_ms: number;
  clock_offset_ms: number;
  is_open: number;
  latitude: number;
  longitude: number;
  idle_ms: number;
}

/** A gap: nothing was reported for longer than trips take to end. */
export interface TrackGapTable {
  incarnation: number;
  from_ms: number;
  to_ms: number;
}

export interface TrackDayTable {
  incarnation: number;
  /** Day in the device's time zone, such as 20261123. */
  local_day: number;
  metres: number;
  is_odometer: number;
  moving_ms: number;
  idle_ms: number;
  ignition_ms: number;
  stops: number;
  max_speed_kmh: number;
  /** Number of positions in the sums. */
  points: number;
  /** When the day began for the track, and its state before: the day can be calculated again from there. */
  begin_ms: number;
  /** JSON. */
  state: string;
}

/** State of a device's track: a start continues with the positions after it. */
interface TrackStateTable {
  incarnation: number;
  /** JSON. */
  state: string;
}

/** Days for which late positions have arrived since they were calculated. */
interface TrackDirtyTable {
  incarnation: number;
  local_day: number;
  /** The earliest of those positions. */
  from_ms: number;
}

/** A card in the reader. */
interface DriverSessionTable {
  id: Generated<number>;
  incarnation: number;
  name: string;
  licence: string;
  issuer: string;
  /** `YYYYMMDD`. */
  valid_until: string;
  in_ms: number;
  /** 0 while it is inserted. */
  out_ms: Generated<number>;
  /** Result reported by the terminal: 0 read, 1 not authenticated, 2 locked, 3 pulled, 4 check failed. */
  read_result: number;
}

interface PassengerCountTable {
  id: Generated<number>;
  incarnation: number;
  from_ms: number;
  to_ms: number;
  boarded: number;
  alighted: number;
}
