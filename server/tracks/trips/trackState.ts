// The state of a device's track after a position, as plain data: stored in the database, so that the track continues from there. Two states
// are the same where their JSON is.
import type { Place } from './distance.ts';
import type { TrackPoint } from './trackPoint.ts';

/** The share of a drive in one local day. */
export interface DrivePart {
  readonly day: number;
  meters: number;
  odometerKm: number;
  movingMs: number;
  maxSpeedKmh: number;
}

/** A halt within a drive that may go on. */
interface Standing {
  readonly sinceMs: number;
  idleMs: number;
}

/** The vehicle moves, or has stood for too short a time to have ended the drive. */
export interface Drive {
  readonly fromMs: number;
  readonly offsetMs: number;
  readonly fromLatitude: number;
  readonly fromLongitude: number;
  /** The last position at which it moved, or the first at which it stands. */
  toMs: number;
  toLatitude: number;
  toLongitude: number;
  meters: number;
  movingMs: number;
  idleMs: number;
  maxSpeedKmh: number;
  odometerFromKm: number | null;
  odometerToKm: number | null;
  odometerAtMs: number;
  /** Whether it was reported where the drive began. */
  isOdometerWhole: boolean;
  /** Whether it has never fallen, nor risen faster than a vehicle drives. */
  isOdometerRising: boolean;
  /** Time in which places were not measured, or are so far apart that the line says little about the way between them. */
  unmeasuredMs: number;
  /** Levels at the begin or the last filling, and now. */
  fuelFromLiters: number | null;
  fuelToLiters: number | null;
  /** Fuel used before the last filling. */
  fuelUsedLiters: number;
  readonly parts: DrivePart[];
  /** Whether it is long enough for a trip. */
  isTrip: boolean;
  standing: Standing | null;
}

export interface OpenStop {
  readonly fromMs: number;
  readonly offsetMs: number;
  readonly latitude: number;
  readonly longitude: number;
  idleMs: number;
}

/** Sums of a local day; the share of an open drive isn't included. */
export interface DaySums {
  readonly day: number;
  meters: number;
  odometerTrips: number;
  lineTrips: number;
  movingMs: number;
  idleMs: number;
  ignitionMs: number;
  stops: number;
  maxSpeedKmh: number;
  /** Positions of one moment count once. */
  points: number;
}

/** Places that can't have been reached: after several in a row, the vehicle is there. */
interface Strays {
  readonly latitude: number;
  readonly longitude: number;
  readonly atMs: number;
  readonly count: number;
}

export interface TrackState {
  /** Never decreases, even when the device's zone is changed. */
  day: number;
  last: TrackPoint | null;
  /** Whether it was moving at the last position. */
  isMoving: boolean;
  /** The last place that could be reached. */
  fix: (Place & { readonly atMs: number }) | null;
  /** Place from which the line of the drive continues. */
  anchor: Place | null;
  strays: Strays | null;
  stop: OpenStop | null;
  drive: Drive | null;
  /** Today, and the days to which the open drive may still add. */
  days: DaySums[];
}

export function noTrack(): TrackState {
  return {
    day: 0,
    last: null,
    isMoving: false,
    fix: null,
    anchor: null,
    strays: null,
    stop: null,
    drive: null,
    days: [],
  };
}

/** Parses a stored state: an earlier program stored less of a drive. */
export function parseState(json: string): TrackState {
  const state = JSON.parse(json) as TrackState;
  const { drive } = state;
  if (drive === null) return state;
  const missing: Partial<Drive> = { isOdometerWhole: drive.isOdometerRising, unmeasuredMs: 0 };
  return { ...state, drive: { ...missing, ...drive } };
}

export function noSums(day: number): DaySums {
  return {
    day,
    meters: 0,
    odometerTrips: 0,
    lineTrips: 0,
    movingMs: 0,
    idleMs: 0,
    ignitionMs: 0,
    stops: 0,
    maxSpeedKmh: 0,
    points: 0,
  };
}
