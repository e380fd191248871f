/** A moment on both clocks. */
export interface Moment {
  /** The gateway's clock; for late positions, the device's. */
  readonly atMs: number;
  /** The device's clock, which durations are measured by: networks delay positions. */
  readonly deviceMs: number;
}

/** The moment that is later by `ms` on both clocks. */
export function laterBy({ atMs, deviceMs }: Moment, ms: number): Moment {
  return { atMs: atMs + ms, deviceMs: deviceMs + ms };
}

export function middleOf(left: Moment, right: Moment): Moment {
  return {
    atMs: Math.round((left.atMs + right.atMs) / 2),
    deviceMs: Math.round((left.deviceMs + right.deviceMs) / 2),
  };
}
