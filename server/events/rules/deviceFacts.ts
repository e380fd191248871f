// The facts that all rules of a device use: whether it moves, whether it is connected, how long there was no report.
import { metersTo } from './distance.ts';
import type { PositionInput, RuleInput } from './ruleInput.ts';

/** A slower vehicle is standing, and its GNSS drifts. */
export const MOVING_KMH = 5;
/** A shorter stop is one at traffic lights: the drive goes on. */
const STOP_MS = 3 * 60_000;
/** A longer time between two positions counts neither as driving nor as idling: it isn't known what the vehicle did. */
export const GAP_MS = 5 * 60_000;
/** Within this distance the vehicle counts as not moved: it is more than the drift of a vehicle between buildings. */
const STAYED_M = 300;

export type Motion = 'moving' | 'still' | 'unknown';

export function motionOf({ hasFix, speedKmh, ignitionOn }: PositionInput): Motion {
  if (speedKmh === undefined) return 'unknown';
  const isFast = speedKmh >= MOVING_KMH;
  if (hasFix) return isFast ? 'moving' : 'still';
  // Without a fix, terminals report no speed, the last one, or that of another sensor: only the last can be believed.
  if (ignitionOn) return isFast ? 'moving' : 'unknown';
  return isFast ? 'unknown' : 'still';
}

export class DeviceFacts {
  /** Undefined until the gateway knows; it never does for late positions. */
  isOnline: boolean | undefined;
  presenceAtMs = Number.NaN;
  /** Whether the rule that is being asked applies now. */
  isScheduled = true;

  // Facts about the position that is being looked at.
  motion: Motion = 'unknown';
  /** Whether the vehicle moves, or stands for a short time with the ignition on. */
  isDriving = false;
  /** Time since the previous position. */
  sinceLastMs = Number.NaN;
  /** Whether it is the first position, or the previous one is too long ago. */
  isGap = true;

  // Facts about the previous position.
  wasDriving = false;
  lastAtMs = Number.NaN;
  #movedAtMs = Number.NaN;
  // Place of the last position with a fix.
  latitude = Number.NaN;
  longitude = Number.NaN;

  /** To be called before the rules are given the input. */
  before(input: RuleInput): void {
    if (input.kind === 'position') this.#look(input);
    else if (input.kind === 'presence') this.#setOnline(input.isOnline, input.atMs);
  }

  /** To be called after the rules were given the input. */
  after(input: RuleInput): void {
    if (input.kind !== 'position') return;
    this.lastAtMs = input.atMs;
    if (!input.hasFix) return;
    this.latitude = input.latitude;
    this.longitude = input.longitude;
  }

  /** Whether the vehicle is where it was at the last fix. */
  hasStayed(position: PositionInput): boolean {
    return position.hasFix && metersTo(position, this.latitude, this.longitude) < STAYED_M;
  }

  #look(position: PositionInput): void {
    const { atMs, ignitionOn, isLate } = position;
    // A terminal that sends live positions is connected, whether or not its presence is known yet.
    if (!isLate && this.isOnline === undefined) this.#setOnline(true, atMs);
    this.sinceLastMs = atMs - this.lastAtMs;
    this.isGap = !(this.sinceLastMs >= 0 && this.sinceLastMs < GAP_MS);
    this.motion = motionOf(position);
    if (this.motion === 'moving') this.#movedAtMs = atMs;
    // The gateway's clock was set back.
    else if (this.#movedAtMs > atMs) this.#movedAtMs = Number.NaN;
    this.wasDriving = this.isDriving && !this.isGap;
    this.isDriving = this.motion === 'moving' || (ignitionOn && atMs - this.#movedAtMs < STOP_MS);
  }

  #setOnline(isOnline: boolean, atMs: number): void {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.presenceAtMs = atMs;
  }
}

/** Whether the vehicle is driving; undefined at a short stop, and where it isn't known. */
export function isDrivingOn({ motion, isDriving }: DeviceFacts): boolean | undefined {
  if (motion === 'moving') return true;
  return motion === 'unknown' || isDriving ? undefined : false;
}
