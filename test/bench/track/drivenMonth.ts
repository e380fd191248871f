// Thirty days of a vehicle that reports every five seconds: streets of a town, traffic lights, nights at the depot.
import type { Position } from '../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export const STEP_MS = 5_000;
export const DAYS = 30;
export const FROM_MS = Date.UTC(2026, 9, 24);
export const POSITIONS = (DAYS * 86_400_000) / STEP_MS;

const METRES_PER_DEGREE = 111_320;
const TOWN_DEGREES = 0.25;
const TURNS_DEG = [90, 270, 30, 330];

/** The same each time. */
export function* drivenMonth(device: Pick<Position, 'deviceId' | 'incarnation'>): Generator<Position> {
  const random = seeded(7);
  let [latitude, longitude, headingDeg, speedKmh, waits] = [52.5, 13.4, 90, 0, 0];
  for (let index = 0; index < POSITIONS; index++) {
    const deviceTimeMs = wallMs(FROM_MS + index * STEP_MS);
    const hour = (deviceTimeMs / 3_600_000) % 24;
    const isDriving = hour >= 6 && hour < 20 && waits === 0;
    waits = isDriving && random() < 0.02 ? 3 + Math.floor(random() * 15) : Math.max(0, waits - 1);
    speedKmh = isDriving ? Math.min(80, Math.max(15, speedKmh + (random() - 0.5) * 20)) : 0;
    if (isDriving && random() < 0.08) headingDeg = (headingDeg + (TURNS_DEG[Math.floor(random() * 4)] ?? 0)) % 360;
    if (Math.abs(latitude - 52.5) > TOWN_DEGREES) headingDeg = latitude > 52.5 ? 180 : 0;
    if (Math.abs(longitude - 13.4) > TOWN_DEGREES) headingDeg = longitude > 13.4 ? 270 : 90;
    const degrees = ((speedKmh / 3.6) * (STEP_MS / 1_000)) / METRES_PER_DEGREE;
    const radians = (headingDeg * Math.PI) / 180;
    // A parked receiver drifts by a meter, a driven one by some.
    const drift = (random() - 0.5) * (isDriving ? 6e-5 : 1e-5);
    latitude += degrees * Math.cos(radians);
    longitude += degrees * 1.64 * Math.sin(radians);
    yield {
      ...device,
      deviceTimeMs,
      receivedAtMs: deviceTimeMs,
      latitude: micro(latitude + drift),
      longitude: micro(longitude + drift),
      altitudeM: 34,
      speedKmh: Math.round(speedKmh * 10) / 10,
      headingDeg,
      alarmBits: 0,
      statusBits: isDriving ? 3 : 2,
      extra: {},
    };
  }
}

/** As terminals send them. */
const micro = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
