import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Reads until the value is accepted (by default: until it is truthy) and returns it. Past the deadline it throws, with
 * `what` was waited for and the last value or error. For what sends no event; where there is one, await the event.
 */
export async function waitFor<T>(
  what: string,
  read: () => T | Promise<T>,
  accept: (value: T) => boolean = Boolean,
  deadlineMs = 90_000,
): Promise<T> {
  const endsAtMs = performance.now() + deadlineMs;
  for (;;) {
    const last = await attempt(read);
    if (last.ok && accept(last.value)) return last.value;
    if (performance.now() >= endsAtMs) throw new Error(`${what}: not within ${deadlineMs} ms; ${describe(last)}`);
    await delay(POLL_INTERVAL_MS);
  }
}

const POLL_INTERVAL_MS = 20;

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** A read that throws counts as not there yet: the page may be loading, the server may be starting. */
async function attempt<T>(read: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (error) {
    return { ok: false, error };
  }
}

function describe<T>(last: Attempt<T>): string {
  return last.ok ? `the last value was ${inspect(last.value)}` : `the last read failed: ${inspect(last.error)}`;
}
