// When failed work is tried again.
import type { BucketFailure, BucketResult } from './bucket/bucketAnswer.ts';

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Waits within an upload, which would otherwise start over because of a single lost part. */
const REQUEST_WAITS_MS: readonly number[] = [1_000, 5_000, 25_000];

/** Wait after this number of failures in a row, from 1. */
export function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
}

/** Resolves after the time, or as soon as the signal is aborted. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** Tries again a few times after temporary failures. */
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
  /** Time of a clock that nobody sets. */
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
