// What a playback session shows of itself, by its clock and its streams. Pure.
import type { KnownClock } from './sessionPosition.ts';

export interface PlaybackState {
  /** The server tells the session's clock, so the session can be steered. */
  readonly isControlled: boolean;
  readonly isPaused: boolean;
  readonly speed: number;
  /** Nothing comes after the position, on no channel. */
  readonly hasEnded: boolean;
  /** Every stream was refused to this viewer, so that nothing can be asked of the session. */
  readonly isRefused: boolean;
}

/** The reports of one stream beside the clock. */
export interface SlotFacts {
  /** When the stream reported that nothing follows; undefined when something does. */
  endedAtMs: number | undefined;
  /** Until the server tells the clock on it again. */
  isRefused: boolean;
}

/** The state before the server has reported its clock. */
export const INITIAL_STATE: PlaybackState = {
  isControlled: false,
  isPaused: false,
  speed: 1,
  hasEnded: false,
  isRefused: false,
};

export function stateOf({ speed, paused }: KnownClock, slots: readonly Readonly<SlotFacts>[]): PlaybackState {
  const has = slots.length > 0;
  return {
    isControlled: true,
    isPaused: paused,
    speed,
    hasEnded: has && slots.every((slot) => slot.endedAtMs !== undefined),
    isRefused: has && slots.every((slot) => slot.isRefused),
  };
}

export function isSameState(left: PlaybackState, right: PlaybackState): boolean {
  return (Object.keys(right) as (keyof PlaybackState)[]).every((name) => left[name] === right[name]);
}
