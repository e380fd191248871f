// How long an attempt waits after so many that failed.
/** Terminals are set up by hand: a slip of the finger costs no time. */
const FREE_FAILURES = 5;
/** Within what terminals and the time-out of the sign-in wait for. */
export const MAX_WAIT_MS = 30_000;

/** A second after the free ones, then doubling. One that is being forgotten counts until it is. */
export function waitAfter(failures: number): number {
  const beyond = Math.ceil(failures) - FREE_FAILURES;
  return beyond < 0 ? 0 : Math.min(1_000 * 2 ** beyond, MAX_WAIT_MS);
}
