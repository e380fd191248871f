const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

export interface Backoff {
  nextMs(): number;
  /** A good run pays for all failures before it. */
  reset(): void;
}

/** Doubling delays with jitter, so that a hundred channels cut off together do not come back in the same second. */
export function createBackoff(random: () => number): Backoff {
  let failures = 0;
  return {
    nextMs: () => {
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
      failures = Math.min(failures + 1, 16);
      return delayMs * (0.5 + random() / 2);
    },
    reset: () => {
      failures = 0;
    },
  };
}
