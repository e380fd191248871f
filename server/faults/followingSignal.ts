/**
 * Ends a piece of work for a reason of its own, or with the signal of whoever asked for it. Made of listeners rather than by
 * `AbortSignal.any`: Node.js keeps what that makes, with all that listens to it, for as long as the longest of its sources lives,
 * which is a process for the signal of its end.
 */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  readonly abort: (reason?: Error) => void;
  /** The work is done: nothing of it is kept any more. */
  readonly release: () => void;
}

export function followSignal(parent: AbortSignal): FollowingSignal {
  const own = new AbortController();
  const follow = (): void => own.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  };
}
