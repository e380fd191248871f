// Bounds on what outside input can grow. Each is declared beside the code that holds to it, with a comment that says what it bounds and what
// happens at it: `npm run fix` lists all of them in docs/limits.md.

export interface Limit {
  /** What the metric and the documentation call it: subject, what is counted, for whom. `stream.sockets.credential` */
  readonly name: string;
  /** In the unit that the name has: bytes (also of memory), ms (also of a wait), seconds, percent, mb; otherwise a count. */
  readonly max: number;
}

/** Told each time that something was refused, cut or left out at a limit. Must not throw. */
export type OnLimit = (limit: Limit) => void;
