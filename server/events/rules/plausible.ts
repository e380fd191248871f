// Removes impossible values: terminals send whatever their sensors say, and a sensor without power says zero or all ones.
import { isLateTime, isTime } from '../signals/reportTimes.ts';
import type { PositionInput } from './ruleInput.ts';

const MAX_SPEED_KMH = 300;
/** 0xFFFF tenths is no level, and an empty tank drives nowhere: both are sensors without power. */
const MAX_FUEL_LITERS = 6_500;
const CABIN_CELSIUS = { min: -60, max: 125 };

/** The position without impossible values; itself where all are possible. Undefined where it can't be placed in time. */
export function plausiblePosition(position: PositionInput): PositionInput | undefined {
  if (!hasPlausibleTime(position)) return undefined;
  if (isPlausible(position)) return position;
  return {
    ...position,
    hasFix: position.hasFix && isOnEarth(position),
    speedKmh: knownSpeed(position),
    fuelLiters: knownFuel(position),
    cabinCelsius: knownCabin(position),
    videoLostBits: knownBits(position.videoLostBits),
    storageFaultBits: knownBits(position.storageFaultBits),
  };
}

function isPlausible(position: PositionInput): boolean {
  return (
    (!position.hasFix || isOnEarth(position)) &&
    knownSpeed(position) === position.speedKmh &&
    knownFuel(position) === position.fuelLiters &&
    knownCabin(position) === position.cabinCelsius &&
    knownBits(position.videoLostBits) === position.videoLostBits &&
    knownBits(position.storageFaultBits) === position.storageFaultBits
  );
}

function hasPlausibleTime({ isLate, atMs, deviceTimeMs, receivedAtMs }: PositionInput): boolean {
  if (!isTime(atMs) || !isTime(deviceTimeMs) || !isTime(receivedAtMs)) return false;
  return !isLate || isLateTime(atMs, receivedAtMs);
}

/** Terminals send zeros for a place that they don't know. */
function isOnEarth({ latitude, longitude }: PositionInput): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
}

function knownSpeed({ speedKmh }: PositionInput): number | undefined {
  return speedKmh !== undefined && speedKmh >= 0 && speedKmh <= MAX_SPEED_KMH ? speedKmh : undefined;
}

function knownFuel({ fuelLiters }: PositionInput): number | undefined {
  return fuelLiters !== undefined && fuelLiters > 0 && fuelLiters <= MAX_FUEL_LITERS ? fuelLiters : undefined;
}

function knownCabin({ cabinCelsius }: PositionInput): number | undefined {
  const isKnown = cabinCelsius !== undefined && cabinCelsius >= CABIN_CELSIUS.min && cabinCelsius <= CABIN_CELSIUS.max;
  return isKnown ? cabinCelsius : undefined;
}

function knownBits(bits: number | undefined): number | undefined {
  return Number.isInteger(bits) ? bits : undefined;
}
