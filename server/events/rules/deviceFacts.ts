// What all rules of a device go by: whether it moves, whether it is connected, how long nothing was heard.
import { metersTo } from './distance.ts';
import type { PositionInput, RuleInput } from './ruleInput.ts';

/** Slower than that is a standing vehicle whose GNSS drifts. */
export const MOVING_KMH = 5;
/** A shorter stop is one at traffic lights, and the drive goes on. */
const STOP_MS = 3 * 60_000;
/** A longer time between two positions is neither driving nor idling: it isn't known what the vehicle did. */
export const GAP_MS = 5 * 60_000;
/** Nearer than that it is where it was: more than the drift of a vehicle between buildings. */
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
  /** Undefined until the gateway knows. Of late positions it never does. */
  isOnline: boolean | undefined;
  presenceAtMs = Number.NaN;
  /** The rule that is being asked applies now. */
  isScheduled = true;

  // Of the position that is being looked at.
  motion: Motion = 'unknown';
  /** It moves, or stands for a short time with the ignition on. */
  isDriving = false;
  /** Since the position before. */
  sinceLastMs = Number.NaN;
  /** It is the first one, or the one before is too long ago. */
  isGap = true;

  // Of the position before.
  wasDriving = false;
  lastAtMs = Number.NaN;
  #movedAtMs = Number.NaN;
  // Of the last position with a fix.
  latitude = Number.NaN;
  longitude = Number.NaN;

  /** Before the rules are given the input. */
  before(input: RuleInput): void {
    if (input.kind === 'position') this.#look(input);
    else if (input.kind === 'presence') this.#setOnline(input.isOnline, input.atMs);
  }

  /** After the rules have seen it. */
  after(input: RuleInput): void {
    if (input.kind !== 'position') return;
    this.lastAtMs = input.atMs;
    if (!input.hasFix) return;
    this.latitude = input.latitude;
    this.longitude = input.longitude;
  }

  /** It is where it was at the last fix. */
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
