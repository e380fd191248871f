// What the bench says to the processes that hold the terminals of a storm, and they to it.
import type { DialOrder, FromDialing } from '../terminals/messages.ts';

/** argv of a process, as JSON. */
export interface StormOrder extends DialOrder {
  readonly positionSeconds: number;
}

/** `report`: from now on. `cut`: all of its connections at once, after which they come back. `stop`: it tells what it measured. */
export type ToStorm = { readonly type: 'report' } | { readonly type: 'cut' } | { readonly type: 'stop' };

export interface Measured {
  /** From an authentication (0x0102) at the terminal's socket to its answer, milliseconds: the first ones, each of which follows a registration. */
  readonly firstSignInsMs: readonly number[];
  /** The sign-ins after the cut. */
  readonly signInsMs: readonly number[];
  /** The same of positions (0x0200). */
  readonly receiptsMs: readonly number[];
  /** Positions without an answer. */
  readonly unanswered: number;
}

export type FromStorm =
  | FromDialing
  /** All are back. */
  | { readonly type: 'back'; readonly afterMs: number }
  | ({ readonly type: 'measured' } & Measured);
