// Who is signed in: asked at the start, again while the call fails, and from time to time to see a session end.
import type { ApiResult } from '../api/client.ts';
import type { UserStatus } from '../protocol/api.ts';

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-in'; readonly status: UserStatus }
  | { readonly kind: 'signed-out' };

export interface SessionWatchDeps {
  readonly getStatus: (signal: AbortSignal) => Promise<ApiResult<UserStatus>>;
  /** Runs once after a time; the result cancels it. */
  readonly runAfter: (ms: number, run: () => void) => () => void;
  readonly random: () => number;
}

export interface SessionWatch {
  readonly state: () => SessionState;
  readonly subscribe: (onChange: () => void) => () => void;
  /** Asks now. Resolves when the answer, of whatever kind, has been taken in. */
  readonly recheck: () => Promise<void>;
  /**
   * Asks nothing while `work` has the server end the session and begin another: live updates tell of the end before the answer brings the
   * new one. Asks when it is done, whatever came of it.
   */
  readonly replace: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly close: () => void;
}

export const RECHECK_MS = 60_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

/** Wait before the next try after `failures` failed ones: doubling, with jitter so that tabs do not come back at once. */
export function retryDelayMs(failures: number, random: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.75 + random / 2);
}

/** Starts asking at once. A failed call changes nothing: somebody who is signed in stays so until the server says no. */
export function watchSession(deps: SessionWatchDeps): SessionWatch {
  const listeners = new Set<() => void>();
  let state: SessionState = { kind: 'unknown' };
  let failures = 0;
  let abort: AbortController | undefined;
  let cancelNext: (() => void) | undefined;
  let isReplaced = false;

  async function recheck(): Promise<void> {
    if (isReplaced) return;
    cancelNext?.();
    abort?.abort();
    const own = new AbortController();
    abort = own;
    const result = await deps.getStatus(own.signal);
    if (own.signal.aborted) return;
    failures = result.ok ? 0 : failures + 1;
    if (result.ok) take(result.value);
    const waitMs = result.ok ? RECHECK_MS : retryDelayMs(failures, deps.random());
    cancelNext = deps.runAfter(waitMs, () => void recheck());
  }

  async function replace<Value>(work: () => Promise<Value>): Promise<Value> {
    isReplaced = true;
    cancelNext?.();
    abort?.abort();
    try {
      return await work();
    } finally {
      isReplaced = false;
      void recheck();
    }
  }

  function take(status: UserStatus): void {
    state = status.login ? { kind: 'signed-in', status } : { kind: 'signed-out' };
    for (const listener of listeners) listener();
  }

  void recheck();
  return {
    state: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    recheck,
    replace,
    close: () => {
      abort?.abort();
      cancelNext?.();
    },
  };
}
