// What the bench says to its processes, and hears of them.

export interface ServerReady {
  readonly type: 'ready';
  readonly relayPort: number;
  readonly terminalPort: number;
}

export interface Deliver {
  readonly type: 'deliver';
  readonly file: string;
  /** How much of the file. */
  readonly bytes: number;
}

export type ToServer = Deliver | { readonly type: 'weigh' };

export interface Weighed {
  readonly type: 'weighed';
  /** What is in use after a garbage collection, in the heap and outside it. */
  readonly heldMib: number;
}

export interface Delivered {
  readonly type: 'delivered';
  readonly terminals: number;
  readonly failed: number;
  readonly seconds: number;
  /** Resident memory of the whole process, above what it had before. */
  readonly grownMib: number;
}

export type FromServer = Weighed | Delivered;

export interface TerminalsOnline {
  readonly type: 'online';
}
