// A gateway that is closed, changed and started again within its process.

/** What was done while no gateway ran. */
export interface Exchange {
  /** Brings back what was there before; called when no gateway starts on what is there now. */
  undo(): Promise<void>;
}

export type RestartOutcome =
  | { readonly kind: 'changed' }
  /** The gateway runs as before. */
  | { readonly kind: 'unchanged'; readonly error: Error };

export interface Restarting {
  /** Undefined while none runs. */
  readonly gateway: object | undefined;
  restart(change: () => Promise<Exchange>): Promise<RestartOutcome>;
}
