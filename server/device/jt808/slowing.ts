// How long an attempt waits after so many that failed.

/** Terminals are set up by hand: a slip of the finger costs no time. */
const FREE_FAILURES = 5;
/** Shorter than terminals wait for an answer, and than the sign-in time-out. */
export const MAX_WAIT_MS = 30_000;

/** One second after the free failures, then doubling. A failure counts in full until it is forgotten. */
export function waitAfter(failures: number): number {
  const beyond = Math.ceil(failures) - FREE_FAILURES;
  return beyond < 0 ? 0 : Math.min(1_000 * 2 ** beyond, MAX_WAIT_MS);
}
