// Told of what a thread is given to do, so that somebody can say how long it took.

export interface ThreadWatch {
  /** The thread has something to do. The result is called once it has answered, or never will. */
  begin(): () => void;
}

export const UNWATCHED: ThreadWatch = { begin: () => () => undefined };
