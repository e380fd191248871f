import type { Generated } from 'kysely';

// Times are the gateway's clock, and `clock_offset_ms` says how far it was ahead of the device's then. Names of places are not kept:
// they are those of the reader's fences, and a device may belong to several member groups.
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

/** From a moment of the device's clock on, how far the gateway's is ahead of it. Written when it changes. */
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
  /** Of an open one, the last position so far. */
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
  /** 1: the odometer says something else than the line, which counts. */
  odometer_differs: Generated<number>;
  moving_ms: number;
  /** Standing with the ignition on. */
  idle_ms: number;
  max_speed_kmh: number;
  /** Over the time that it moved. */
  mean_speed_kmh: number;
  odometer_from_km: number | null;
  odometer_to_km: number | null;
  /** Used up; null where the level isn't reported. */
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

/** Nothing was reported for longer than trips take to end. */
export interface TrackGapTable {
  incarnation: number;
  from_ms: number;
  to_ms: number;
}

export interface TrackDayTable {
  incarnation: number;
  /** Such as 20261123, where the device is. */
  local_day: number;
  metres: number;
  is_odometer: number;
  moving_ms: number;
  idle_ms: number;
  ignition_ms: number;
  stops: number;
  max_speed_kmh: number;
  /** Positions that the sums are of. */
  points: number;
  /** When the day began for the track, and its state before: it can be worked out again from there. */
  begin_ms: number;
  /** JSON. */
  state: string;
}

/** Where the track of a device is: a start goes on with the positions behind it. */
interface TrackStateTable {
  incarnation: number;
  /** JSON. */
  state: string;
}

/** Days that late positions have come for since they were worked out. */
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
  /** 0 while it is in. */
  out_ms: Generated<number>;
  /** As the terminal says: 0 read, 1 not authenticated, 2 locked, 3 pulled, 4 check failed. */
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
