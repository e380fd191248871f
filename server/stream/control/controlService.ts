import type { Refusal } from '../../sockets/refusal.ts';

/** What serves a socket that holds something. */
export interface Service {
  /** Lets go of the vehicle. Safe to call twice. */
  release(): void;
}

/** Ends the hold from within, and says why. */
export type EndHold = (why: Refusal) => void;
