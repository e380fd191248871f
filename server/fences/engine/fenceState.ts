// What is remembered of a device and a fence: where it is to it, and what it has done in it so far.
import type { PreparedFence } from '../directory/preparedFence.ts';
import type { HeldCode } from './fenceSignal.ts';
import type { Moment } from './moment.ts';
import type { Presence } from './presence.ts';

export interface Held {
  since: Moment;
  isRaised: boolean;
  /** The worst that was measured. */
  worst: number;
}

/** Driven against the line of a corridor. */
interface AgainstLine {
  alongMeters: number;
  points: number;
  meters: number;
}

export interface FenceState {
  fence: PreparedFence;
  presence: Presence;
  /** It was in when it was first looked at: it is not known when it entered. */
  isCarried: boolean;
  readonly held: Partial<Record<HeldCode, Held>>;
  against: AgainstLine | undefined;
}

export function newState(fence: PreparedFence, isInside: boolean, since: Moment): FenceState {
  return { fence, presence: { isInside, since, pending: undefined }, isCarried: false, held: {}, against: undefined };
}

export const HELD_CODES = [
  'fence-inside-long',
  'fence-outside-long',
  'fence-parked',
  'fence-wrong-direction',
  'area-speeding',
] as const satisfies readonly HeldCode[];

/** Nothing of it has to be remembered: it is outside, as everywhere else. */
export function isForgettable({ fence, presence, held }: FenceState): boolean {
  const { isInside, pending } = presence;
  if (isInside || pending !== undefined || fence.rules.outsideMinutes > 0) return false;
  return HELD_CODES.every((code) => held[code] === undefined);
}

/** The device's clock was set. */
export function shiftClock(state: FenceState, stepMs: number): void {
  const shifted = (moment: Moment): Moment => ({ atMs: moment.atMs, deviceMs: moment.deviceMs + stepMs });
  const { isInside, since, pending } = state.presence;
  const moved = pending && { at: shifted(pending.at), wasClear: pending.wasClear };
  state.presence = { isInside, since: shifted(since), pending: moved };
  for (const code of HELD_CODES) {
    const held = state.held[code];
    if (held !== undefined) held.since = shifted(held.since);
  }
}
