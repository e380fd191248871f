import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

/**
 * When a vehicle measures its positions. `late`: out of order, so that all but the first belong into blocks that there are. `slow`: few
 * a day, so that blocks end soon.
 */
export const ARRIVALS = {
  inOrder: (number: number) => number * 1_000,
  late: (number: number) => ((number * 7_919) % 20_011) * 1_000,
  slow: (number: number) => number * 600_000,
} as const;
export type Arrival = keyof typeof ARRIVALS;

/** The number tells it apart. */
export function aPosition(incarnation: number, number: number, arrival: Arrival = 'late'): Position {
  return {
    deviceId: 'BUS',
    incarnation,
    deviceTimeMs: wallMs(ARRIVALS[arrival](number)),
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
