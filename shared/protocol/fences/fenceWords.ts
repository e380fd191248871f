// The words that describe fences. Tables hold their numbers, so none is ever moved.
export const FENCE_KINDS = ['polygon', 'circle', 'rectangle', 'corridor'] as const;
export type FenceKind = (typeof FENCE_KINDS)[number];

export const TERMINAL_AREA_STATES = [
  /** Waits for the terminal to connect, or for commands before it. */
  'waiting',
  'sent',
  /** The terminal has the fence as it should be, as far as it can report. */
  'confirmed',
  /** The terminal reports something else. */
  'differs',
  'refused',
  /** The terminal has no room for the fence. */
  'full',
  /** The fence was removed. The row goes once the terminal has confirmed that. */
  'removing',
] as const;
export type TerminalAreaState = (typeof TERMINAL_AREA_STATES)[number];

export const TERMINAL_AREA_NOTES = [
  '',
  /** Its outline had too many vertices for a terminal. */
  'simplified',
  /** The terminal's edition can't be asked what it has. */
  'not-read-back',
  /** The corridor is wider than a route can be. */
  'narrowed',
  /** It lies on both sides of the equator or of a prime meridian, which terminals can't be told. */
  'both-hemispheres',
  'no-answer',
  'expired',
] as const;
export type TerminalAreaNote = (typeof TERMINAL_AREA_NOTES)[number];

/** Why an outline can't be a fence. */
export const FENCE_FAULTS = [
  'fence-crossing',
  'fence-few-vertices',
  'fence-many-vertices',
  'fence-small-area',
  'fence-small-radius',
  'fence-small-width',
  'fence-hemisphere',
  'fence-pole',
  'fence-outside-earth',
  'fence-not-rectangle',
  'fence-hole',
  'fence-other-geometry',
] as const;
export type FenceFault = (typeof FENCE_FAULTS)[number];

export const MIN_VERTICES = 3;
export const MAX_VERTICES = 2_000;
export const MIN_AREA_M2 = 100;
export const MIN_RADIUS_METERS = 10;
export const MAX_RADIUS_METERS = 5_000_000;
/** Width of a corridor, from edge to edge. */
export const MIN_WIDTH_METERS = 5;
export const MAX_WIDTH_METERS = 10_000;
