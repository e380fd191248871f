// Long work on the gateway's one thread, in parts: streams and sign-ins do not wait for somebody's file.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a part may hold the thread, in milliseconds. */
const PART_MS = 10;

/** To be called after each small step: a promise to await when others are to have their turn, else undefined. */
export type Breathe = () => Promise<void> | undefined;

export interface BreathDeps {
  readonly now: () => number;
  readonly nextTurn: () => Promise<void>;
}

const REAL: BreathDeps = { now: () => performance.now(), nextTurn: async () => void (await nextTurn()) };

export function createBreath(deps: BreathDeps = REAL): Breathe {
  let sinceMs = deps.now();
  const pause = async (): Promise<void> => {
    await deps.nextTurn();
    sinceMs = deps.now();
  };
  return () => (deps.now() - sinceMs < PART_MS ? undefined : pause());
}

/** As `items.map(map)`, with turns for others in between. */
export async function mapInParts<From, To>(
  items: Iterable<From>,
  breathe: Breathe,
  map: (item: From) => To,
): Promise<To[]> {
  const mapped: To[] = [];
  for (const item of items) {
    mapped.push(map(item));
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return mapped;
}
