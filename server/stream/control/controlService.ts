import type { Refusal } from '../../sockets/refusal.ts';

/** Serves a socket that has a control lock. */
export interface ControlService {
  /** Lets go of the vehicle. Safe to call twice. */
  release(): void;
}

/** Ends the control from the server's side, with the reason. */
export type ReleaseLock = (reason: Refusal) => void;
