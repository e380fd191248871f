import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

/** One of a vehicle that sends its positions out of order. The number tells it apart. */
export function aPosition(incarnation: number, number: number): Position {
  return {
    deviceId: 'BUS',
    incarnation,
    deviceTimeMs: wallMs(((number * 7_919) % 20_011) * 1_000),
    receivedAtMs: wallMs(number),
    latitude: 25,
    longitude: 121.5,
    altitudeM: 10,
    speedKmh: number % 90,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 3,
    extra: { 1: number.toString(16).padStart(8, '0') },
  };
}
