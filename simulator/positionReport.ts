import { GMT_PLUS_8_MS } from '../server/device/jt808/codec/bcd.ts';
import { StatusBit } from '../server/device/jt808/codec/codes.ts';
import type { BodyOf } from '../server/device/jt808/codec/message.ts';
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { LAP_METRES, LAP_MS, type RoutePoint, routeAt } from './route.ts';
import { positionItemsOf } from './script/itemBytes.ts';
import type { ScriptState } from './script/scriptState.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

const STATUS = (1 << StatusBit.AccOn) | (1 << StatusBit.Fixed) | (1 << StatusBit.Gps);
const LAKE_ALTITUDE_M = 748;

export interface PositionOptions {
  /** When the vehicle is where it is, and what the terminal's clock shows then. */
  readonly atMs: number;
  readonly clock: WallMs;
  /** Since the terminal was started. */
  readonly elapsedMs: number;
  readonly state: ScriptState;
}

/** A terminal of the demo always has a clock. */
export type ReportedPosition = BodyOf<'position'> & { readonly time: WallMs };

/** Where the vehicle is at a moment and how it is, as a terminal says it. */
export function positionReport(profile: VehicleProfile, options: PositionOptions): ReportedPosition {
  const { alarm, statusOn, statusOff, details, driven, speedKmh } = options.state;
  const route = routeAt(options.atMs + driven.aheadMs, profile.lapShare);
  const place = besideRoute(route, options.state.detourMeters);
  const reportedKmh = speedKmh ?? route.speedKmh * driven.pace;
  const mileageKm = mileageOf(profile, options.elapsedMs + driven.aheadMs);
  return {
    kind: 'position',
    alarm,
    status: ((STATUS | statusOn) & ~statusOff) >>> 0,
    latitude: place.latitude,
    longitude: place.longitude,
    altitudeMeters: LAKE_ALTITUDE_M,
    speedKmh: Math.round(reportedKmh * 10) / 10,
    direction: route.headingDegrees,
    time: options.clock,
    items: positionItemsOf(mileageKm === undefined ? details : { ...details, mileageKm }),
    tail: new Uint8Array(0),
  };
}

const METERS_PER_DEGREE = 111_320;

/** A step to the right of the way that is driven. */
function besideRoute({ latitude, longitude, headingDegrees }: RoutePoint, meters: number) {
  const heading = (headingDegrees * Math.PI) / 180;
  const scale = METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return {
    latitude: latitude - (Math.sin(heading) * meters) / METERS_PER_DEGREE,
    longitude: longitude + (Math.cos(heading) * meters) / scale,
  };
}

/** At the lap's mean speed; undefined for a terminal without an odometer. */
function mileageOf({ odometerKm }: VehicleProfile, drivenMs: number): number | undefined {
  return odometerKm === undefined ? undefined : odometerKm + ((drivenMs / LAP_MS) * LAP_METRES) / 1000;
}

/** A clock that was never set begins in 1970. The wire has two digits of a year, and 70 stands for 2070. */
const UNSET_CLOCK_MS = Date.UTC(2070, 0, 1) - GMT_PLUS_8_MS;
const YEAR_MS = 365 * 24 * 3_600_000;

/** What the terminal's clock shows at a moment. */
export function terminalClock({ quirks }: VehicleProfile, atMs: number, elapsedMs: number): WallMs {
  if (typeof quirks?.clock === 'object') return wallMs(atMs + quirks.clock.aheadSeconds * 1000);
  switch (quirks?.clock) {
    case 'never-set':
      return wallMs(UNSET_CLOCK_MS + Math.max(0, elapsedMs));
    case 'next-year':
      return wallMs(atMs + YEAR_MS);
    case undefined:
      return wallMs(atMs);
  }
}
