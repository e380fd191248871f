// What a part reports when something fails that nobody waits for.

/** Told of a fault of our own or of what we depend on. Logs it; must not throw. */
export type OnFault = (error: Error) => void;

/** What was thrown or rejected, which may be anything, as an error that says what failed. */
export function faultOf(what: string, cause: unknown): Error {
  return new Error(what, { cause });
}
