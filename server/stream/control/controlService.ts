import type { Refusal } from '../../sockets/refusal.ts';

/** What serves a socket that holds something. */
export interface ControlService {
  /** Lets go of the vehicle. Safe to call twice. */
  release(): void;
}

/** Ends the hold from within, and says why. */
export type ReleaseLock = (reason: Refusal) => void;
