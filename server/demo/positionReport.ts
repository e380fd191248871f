import type { WallMs } from '../../shared/protocol/time.ts';
import { StatusBit } from '../device/jt808/codec/codes.ts';
import type { BodyOf } from '../device/jt808/codec/message.ts';
import { routeAt } from './route.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

const STATUS = (1 << StatusBit.AccOn) | (1 << StatusBit.Fixed) | (1 << StatusBit.Gps);
const LAKE_ALTITUDE_M = 748;

/** Where the vehicle is at a moment, as a terminal says it. */
export function positionReport(profile: VehicleProfile, nowMs: WallMs): BodyOf<'position'> {
  const { latitude, longitude, speedKmh, headingDegrees } = routeAt(nowMs, profile.lapShare);
  return {
    kind: 'position',
    alarm: 0,
    status: STATUS,
    latitude,
    longitude,
    altitudeMeters: LAKE_ALTITUDE_M,
    speedKmh: Math.round(speedKmh * 10) / 10,
    direction: headingDegrees,
    time: nowMs,
    items: [],
    tail: new Uint8Array(0),
  };
}
