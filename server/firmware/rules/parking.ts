// Since when a vehicle is parked, by the positions that its terminal reports. Pure.

export interface ReportedMotion {
  readonly hasFix: boolean;
  /** Undefined: not known. */
  readonly speedKmh: number | undefined;
  readonly ignitionOn: boolean;
  readonly atMs: number;
}

/** Below it a standing vehicle's fixes only wander. */
const MOVING_FROM_KMH = 3;

/** `sinceMs`: as of the position before. Undefined while it moves, or where that isn't known. */
export function parkedSince(
  sinceMs: number | undefined,
  { hasFix, speedKmh, ignitionOn, atMs }: ReportedMotion,
): number | undefined {
  if (speedKmh !== undefined && speedKmh >= MOVING_FROM_KMH) return undefined;
  if (hasFix && speedKmh !== undefined) return sinceMs ?? atMs;
  // Without a fix the speed is 0 whatever the vehicle does. With its ignition off, where many receivers sleep, it stays where it was.
  return ignitionOn ? undefined : sinceMs;
}
