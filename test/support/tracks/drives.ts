// Positions of a vehicle as a terminal would report them, made up the same way for a seed.
import type { Position } from '../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export interface MadePosition {
  readonly atMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh?: number;
  readonly ignitionOn?: boolean;
  readonly hasFix?: boolean;
  readonly mileageKm?: number;
  readonly fuelLiters?: number;
}

const IGNITION = 1;
const FIXED = 2;

export function aPosition(made: MadePosition, about: Partial<Position> = {}): Position {
  const { atMs, latitude, longitude, speedKmh = 0, ignitionOn = true, hasFix = true } = made;
  return {
    deviceId: 'BUS1',
    incarnation: 1,
    deviceTimeMs: wallMs(atMs),
    receivedAtMs: wallMs(atMs),
    latitude,
    longitude,
    altitudeM: 0,
    speedKmh,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: (ignitionOn ? IGNITION : 0) + (hasFix ? FIXED : 0),
    extra: {},
    isLate: false,
    mileageKm: made.mileageKm,
    fuelLiters: made.fuelLiters,
    ...about,
  };
}

/** Numbers from 0 to 1, the same for a seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const METERS_PER_DEGREE = 111_195;

/** Driving, standing with and without ignition, and silences, one after the other. */
export function someDays(random: () => number, fromMs: number, days: number): Position[] {
  const positions: Position[] = [];
  const endMs = fromMs + days * 86_400_000;
  let [atMs, latitude, longitude, mileageKm] = [fromMs, 25, 121, 1_000];
  const stretch = (minutes: number, speedKmh: number, ignitionOn: boolean): void => {
    const untilMs = Math.min(endMs, atMs + Math.floor(minutes * 60) * 1_000);
    const stepMs = 30_000;
    for (; atMs < untilMs; atMs += stepMs) {
      const meters = (speedKmh / 3_600) * stepMs;
      longitude += (meters / METERS_PER_DEGREE) * (random() < 0.5 ? 1 : -1);
      mileageKm += meters / 1_000;
      const drift = speedKmh === 0 ? (random() - 0.5) * 0.000_4 : 0;
      const isLost = random() < 0.02;
      const made = { atMs, latitude: latitude + drift, longitude, speedKmh, ignitionOn, hasFix: !isLost };
      positions.push(aPosition({ ...made, mileageKm: Math.round(mileageKm * 10) / 10 }));
      if (random() < 0.01) positions.push(aPosition({ ...made, latitude: latitude + 5 }));
    }
  };
  while (atMs < endMs) {
    const kind = random();
    if (kind < 0.4) stretch(5 + random() * 40, 20 + random() * 70, true);
    else if (kind < 0.55) stretch(random() * 4, 0, true);
    else if (kind < 0.7) stretch(6 + random() * 20, 0, true);
    else if (kind < 0.9) stretch(20 + random() * 120, 0, false);
    else atMs += Math.floor((6 + random() * 90) * 60) * 1_000;
  }
  return positions;
}
