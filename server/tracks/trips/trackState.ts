// What is known of a device's track after a position, as plain data: kept in the database, so that it goes on from there. Two
// states are the same where their JSON is.
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

/** Where it stands within a drive that may go on. */
interface Standing {
  readonly sinceMs: number;
  idleMs: number;
}

/** It moves, or has stood for too short a time to have ended. */
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
  /** It was reported where the drive began. */
  isOdometerWhole: boolean;
  /** It has never fallen, nor risen faster than a vehicle drives. */
  isOdometerRising: boolean;
  /** In which places were not measured, or so far apart that the line says little of the way between. */
  unmeasuredMs: number;
  /** Level where it began, or was filled up last, and now. */
  fuelFromLiters: number | null;
  fuelToLiters: number | null;
  /** Used before the last filling. */
  fuelUsedLiters: number;
  readonly parts: DrivePart[];
  /** It is long enough for a trip. */
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

/** Sums of a local day; what an open drive adds isn't in them. */
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

/** Places that can't have been reached: after some that follow each other, the vehicle is there. */
interface Strays {
  readonly latitude: number;
  readonly longitude: number;
  readonly atMs: number;
  readonly count: number;
}

export interface TrackState {
  /** Never goes back, also when the device's zone is changed. */
  day: number;
  last: TrackPoint | null;
  /** At the last position. */
  isMoving: boolean;
  /** The last place that could have been reached. */
  fix: (Place & { readonly atMs: number }) | null;
  /** Where the line of the drive goes on from. */
  anchor: Place | null;
  strays: Strays | null;
  stop: OpenStop | null;
  drive: Drive | null;
  /** Today's, and those that the open drive may still add to. */
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

/** As it was kept: an earlier program knew less of a drive. */
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
