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
  const beganMs = performance.now();
  for (;;) {
    const last = await attempt(read);
    if (last.ok && accept(last.value)) return last.value;
    const waitedMs = performance.now() - beganMs;
    if (waitedMs >= deadlineMs) throw new Error(`${what}: not within ${deadlineMs} ms; ${describe(last)}`);
    await delay(Math.min(Math.max(waitedMs * WAITED_SHARE, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Each reading takes time of a page, a gateway or a database: what comes late is read less often, and seen at most a tenth later. */
const WAITED_SHARE = 0.1;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

/**
 * Repeats what moves a clock by hand until it returns true. The turns follow one another at one pace: `waitFor` would slow down, and each of
 * them brings the clock on by the same time.
 */
export async function turnUntil(what: string, turn: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + TURNING_MS;
  while (!(await turn())) {
    if (performance.now() >= deadlineMs) throw new Error(`${what}: not within ${TURNING_MS} ms`);
    await delay(SHORTEST_PAUSE_MS);
  }
}

const TURNING_MS = 90_000;

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
