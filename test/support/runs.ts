import { IS_LONG } from './runner/long.ts';

/** How many random inputs a test takes that is meant for so many: a quarter of them for every change, all in `npm run test:long`. */
export function runs(full: number): number {
  return IS_LONG ? full : Math.ceil(full / 4);
}

/** How often a test kills a program: at one telling moment for every change, at each kind of moment in `npm run test:long`. */
export const KILLS = IS_LONG ? 50 : 1;
/** Each kill takes a start, and what is left is looked at by one start more. */
export const KILLS_TIMEOUT_MS = 180_000 + 30_000 * KILLS;
