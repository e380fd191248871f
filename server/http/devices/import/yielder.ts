// Long work on the gateway's one thread, in parts, so that streams and sign-ins do not wait for a file.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a part may hold the thread, in milliseconds. */
const PART_MS = 10;

/** Called after each small step: returns a promise to await when other work gets its turn, else undefined. */
export type YieldIfDue = () => Promise<void> | undefined;

export interface YielderDeps {
  readonly now: () => number;
  readonly nextTurn: () => Promise<void>;
}

const REAL: YielderDeps = { now: () => performance.now(), nextTurn: async () => void (await nextTurn()) };

export function createYielder(deps: YielderDeps = REAL): YieldIfDue {
  let sinceMs = deps.now();
  const pause = async (): Promise<void> => {
    await deps.nextTurn();
    sinceMs = deps.now();
  };
  return () => (deps.now() - sinceMs < PART_MS ? undefined : pause());
}

/** Like `items.map(map)`, with turns for other work in between. */
export async function mapYielding<From, To>(
  items: Iterable<From>,
  yieldIfDue: YieldIfDue,
  map: (item: From) => To,
): Promise<To[]> {
  const mapped: To[] = [];
  for (const item of items) {
    mapped.push(map(item));
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return mapped;
}
