// The one clock of a playback session: which moment of the past is "now", and how fast it moves. Pure; real time is the
// caller's monotonic clock in milliseconds.

export interface SessionClock {
  /** The position at `sinceMs`, milliseconds since the epoch on the recorder's time line. */
  readonly positionMs: number;
  /** Monotonic. */
  readonly sinceMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

const MIN_SPEED = 0.25;
const MAX_SPEED = 16;
/** Above it only key frames are sent: no network and no decoder keeps up with all pictures. */
const MAX_FULL_SPEED = 4;

export function startClock(positionMs: number, nowMs: number): SessionClock {
  return { positionMs, sinceMs: nowMs, speed: 1, paused: false };
}

export function positionAt({ positionMs, sinceMs, speed, paused }: SessionClock, nowMs: number): number {
  return paused ? positionMs : positionMs + (nowMs - sinceMs) * speed;
}

export function pauseClock(clock: SessionClock, nowMs: number): SessionClock {
  return { ...clock, positionMs: positionAt(clock, nowMs), sinceMs: nowMs, paused: true };
}

export function resumeClock(clock: SessionClock, nowMs: number): SessionClock {
  return { ...clock, positionMs: positionAt(clock, nowMs), sinceMs: nowMs, paused: false };
}

export function seekClock(clock: SessionClock, nowMs: number, positionMs: number): SessionClock {
  return { ...clock, positionMs, sinceMs: nowMs };
}

/** Goes on from the present position; a speed outside the range becomes the nearest inside. */
export function setClockSpeed(clock: SessionClock, nowMs: number, speed: number): SessionClock {
  const within = Math.min(Math.max(speed, MIN_SPEED), MAX_SPEED);
  return { ...clock, positionMs: positionAt(clock, nowMs), sinceMs: nowMs, speed: within };
}

/** Whether every picture is sent at this speed, or key frames alone. */
export function sendsKeyFramesOnly(speed: number): boolean {
  return speed > MAX_FULL_SPEED;
}
