// Bounds on what outside input can grow. Each is declared beside the code that holds to it; docs/operation.md lists all.

export interface Limit {
  /** What the metric and the documentation call it: subject, what is counted, for whom. `stream.sockets.credential` */
  readonly name: string;
  /** In the unit that the documentation names: connections, bytes, messages a second. */
  readonly max: number;
}

/** Told each time that something was refused, cut or left out at a limit. Must not throw. */
export type OnLimit = (limit: Limit) => void;
