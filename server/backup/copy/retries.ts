// When what failed is tried again.
import type { BucketFailure, BucketResult } from './bucket/bucketAnswer.ts';

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Within an upload, which would otherwise begin anew for a single lost part. */
const REQUEST_WAITS_MS: readonly number[] = [1_000, 5_000, 25_000];

/** After so many failures in a row, from 1. */
export function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
}

/** Resolves after the time, or as soon as the signal is aborted. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** Tries again what can pass, a few times. */
export async function retried<Value>(
  work: () => Promise<BucketResult<Value>>,
  pause: Pause,
  signal: AbortSignal,
): Promise<BucketResult<Value>> {
  for (const waitMs of REQUEST_WAITS_MS) {
    const result = await work();
    if (result.ok || !isPassing(result)) return result;
    await pause(waitMs, signal);
    signal.throwIfAborted();
  }
  return work();
}

function isPassing({ fault }: BucketFailure): boolean {
  return fault === 'copy-unreachable';
}

export interface BackoffDeps {
  /** Of no clock that is set. */
  readonly monotonicMs: () => number;
}

/** Growing waits between failures. */
export class Backoff {
  readonly #deps: BackoffDeps;
  #failures = 0;
  #untilMs = 0;

  constructor(deps: BackoffDeps) {
    this.#deps = deps;
  }

  get isWaiting(): boolean {
    return this.#failures > 0 && this.#deps.monotonicMs() < this.#untilMs;
  }

  failed(): void {
    this.#failures++;
    this.#untilMs = this.#deps.monotonicMs() + waitAfter(this.#failures);
  }

  succeeded(): void {
    this.#failures = 0;
  }
}
