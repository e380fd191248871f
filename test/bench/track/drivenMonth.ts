// A vehicle that reports every five seconds: streets of a town, traffic lights, nights at the depot.
import type { StoredPosition } from '../../../server/store/fleet/blocks/storedPosition.ts';

const STEP_MS = 5_000;
export const DAY_MS = 86_400_000;

const METRES_PER_DEGREE = 111_320;
const TOWN_DEGREES = 0.25;
const TURNS_DEG = [90, 270, 30, 330];
/** The number of vehicles in the fleet, whose positions are numbered together: those of the others lie between. */
const VEHICLES = 250;

export interface Driven {
  /** Seed of the vehicle: each drives differently, and the same each time. */
  readonly seed: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export function drivenPositions({ seed, fromMs, toMs }: Driven): StoredPosition[] {
  const random = seeded(seed);
  let [latitude, longitude, headingDeg, speedKmh, waits] = [52.5, 13.4, 90, 0, 0];
  let [metres, tenthsLiter] = [120_000_000, 620];
  return Array.from({ length: Math.floor((toMs - fromMs) / STEP_MS) }, (_, at) => {
    const deviceTimeMs = fromMs + at * STEP_MS;
    const hour = (deviceTimeMs / 3_600_000) % 24;
    const isDriving = hour >= 6 && hour < 20 && waits === 0;
    waits = isDriving && random() < 0.02 ? 3 + Math.floor(random() * 15) : Math.max(0, waits - 1);
    speedKmh = isDriving ? Math.min(80, Math.max(15, speedKmh + (random() - 0.5) * 20)) : 0;
    if (isDriving && random() < 0.08) headingDeg = (headingDeg + (TURNS_DEG[Math.floor(random() * 4)] ?? 0)) % 360;
    if (Math.abs(latitude - 52.5) > TOWN_DEGREES) headingDeg = latitude > 52.5 ? 180 : 0;
    if (Math.abs(longitude - 13.4) > TOWN_DEGREES) headingDeg = longitude > 13.4 ? 270 : 90;
    const driven = (speedKmh / 3.6) * (STEP_MS / 1_000);
    const radians = (headingDeg * Math.PI) / 180;
    // A parked receiver drifts by a meter, a moving one by several.
    const drift = (random() - 0.5) * (isDriving ? 6e-5 : 1e-5);
    latitude += (driven / METRES_PER_DEGREE) * Math.cos(radians);
    longitude += (driven / METRES_PER_DEGREE) * 1.64 * Math.sin(radians);
    metres += driven;
    tenthsLiter = tenthsLiter < 50 ? 620 : tenthsLiter - driven / 3_000;
    const signal = 18 + Math.floor(random() * 12);
    return {
      id: 1 + at * VEHICLES + Math.floor(random() * VEHICLES),
      deviceTimeMs,
      receivedAtMs: deviceTimeMs + 200 + Math.floor(random() * 900),
      latitude: micro(latitude + drift),
      longitude: micro(longitude + drift),
      altitudeM: 34,
      speedKmh: Math.round(speedKmh * 10) / 10,
      headingDeg,
      alarmBits: 0,
      statusBits: isDriving ? 3 : 2,
      late: 0,
      extra: JSON.stringify({ 1: hex(metres / 100, 4), 2: hex(tenthsLiter, 2), 48: hex(signal, 1), 49: hex(9, 1) }),
      mileageKm: Math.floor(metres / 100) / 10,
      fuelLiters: Math.floor(tenthsLiter) / 10,
      cabinCelsius: Number.NaN,
      signal,
    };
  });
}

/** Degrees as terminals send them. */
const micro = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

function hex(value: number, bytes: number): string {
  return Math.floor(value)
    .toString(16)
    .padStart(2 * bytes, '0');
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
