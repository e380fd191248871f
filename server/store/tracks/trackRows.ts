// What is stored of tracks. Times are the gateway's clock.

export interface TripRow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly clockOffsetMs: number;
  readonly isOpen: boolean;
  readonly fromLatitude: number;
  readonly fromLongitude: number;
  readonly toLatitude: number;
  readonly toLongitude: number;
  readonly meters: number;
  readonly isOdometer: boolean;
  /** It says something else than the line, which counts. */
  readonly odometerDiffers: boolean;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly maxSpeedKmh: number;
  readonly meanSpeedKmh: number;
  readonly odometerFromKm: number | null;
  readonly odometerToKm: number | null;
  readonly fuelLiters: number | null;
}

export interface StopRow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly clockOffsetMs: number;
  readonly isOpen: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly idleMs: number;
}

export interface GapRow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the track was when a local day began: it can be worked out again from there. */
export interface DayStart {
  readonly localDay: number;
  readonly beginMs: number;
  /** JSON. */
  readonly state: string;
}

export interface DayRow {
  readonly localDay: number;
  readonly meters: number;
  readonly isOdometer: boolean;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly ignitionMs: number;
  readonly stops: number;
  readonly maxSpeedKmh: number;
  /** Positions that the sums are of. */
  readonly points: number;
}

export interface TrackRows {
  readonly trips: readonly TripRow[];
  readonly stops: readonly StopRow[];
  readonly gaps: readonly GapRow[];
  readonly days: readonly DayRow[];
  readonly starts: readonly DayStart[];
}
