/** A moment on both clocks. */
export interface Moment {
  /** The gateway's; of late positions, the device's. */
  readonly atMs: number;
  /** The device's, by which durations are measured: networks hold positions up. */
  readonly deviceMs: number;
}

/** As much later on both. */
export function laterBy({ atMs, deviceMs }: Moment, ms: number): Moment {
  return { atMs: atMs + ms, deviceMs: deviceMs + ms };
}

export function middleOf(left: Moment, right: Moment): Moment {
  return {
    atMs: Math.round((left.atMs + right.atMs) / 2),
    deviceMs: Math.round((left.deviceMs + right.deviceMs) / 2),
  };
}
