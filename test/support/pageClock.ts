// Virtual time in a page. Its workers and the server keep to the real time: a page whose clock is to be moved waits for nothing
// of theirs meanwhile. Call `page.clock.install()` before the page goes anywhere.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitFor } from './waitFor.ts';

/** Moves the page's clock so far, every timer in its turn; gives how far it has moved altogether, in milliseconds. */
export type RunClock = (ms: number) => Promise<number>;

/** The page's clock stands still from here on, but for what the result moves it. */
export async function holdClock(page: Page): Promise<RunClock> {
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  const from = await pageNow(page);
  return async (ms) => {
    await page.clock.runFor(ms);
    return (await pageNow(page)) - from;
  };
}

/** A clock cannot be held at a moment that is over. */
const AHEAD_MS = 1_000;
const STEP_MS = 200;

/** By the page's clock, milliseconds since the epoch. */
export const pageNow = (page: Page): Promise<number> => page.evaluate(() => Date.now());

/** Moves the clock in small steps until that is so; gives how far it has moved altogether. */
export async function runUntil(run: RunClock, isSo: () => boolean | Promise<boolean>): Promise<number> {
  let ranMs = await run(0);
  await waitFor("what the page's clock brings", async () => {
    if (await isSo()) return true;
    ranMs = await run(STEP_MS);
    return false;
  });
  return ranMs;
}

/** Call before the navigation: from then on the page notes when it asks its worker for a stream, by its own clock. */
export async function noteOpenings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const openings: { url: string; atMs: number }[] = [];
    Object.assign(globalThis, { openings });
    const native = Worker.prototype.postMessage as (...args: unknown[]) => void;
    Worker.prototype.postMessage = function note(this: Worker, ...args: unknown[]): void {
      const { type, url } = args[0] as { readonly type?: string; readonly url?: string };
      if (url !== undefined && (type === 'open' || type === 'reconnect')) openings.push({ url, atMs: Date.now() });
      native.apply(this, args);
    };
  });
}

/** When it asked for the stream of a channel, milliseconds since the epoch: a step of a held clock is exact. */
export async function openingsMs(page: Page, ofChannel = 1): Promise<number[]> {
  const noted = await page.evaluate(
    () => (globalThis as unknown as { openings: { url: string; atMs: number }[] }).openings,
  );
  const isOf = (url: string) => new URL(url, page.url()).searchParams.get('channel') === String(ofChannel);
  return noted.filter(({ url }) => isOf(url)).map(({ atMs }) => atMs);
}

/** Waits until what was sent on a channel has been shown; gives when its last picture was, milliseconds since the epoch. */
export async function lastShownMs(page: Page, ofChannel = 1): Promise<number> {
  let seen = -1;
  const shown = await waitFor('the last picture', async () => {
    const all = await page.evaluate(() => globalThis.__fleetglassTrace ?? []);
    const pictures = all.filter(({ channel }) => channel === ofChannel);
    if (pictures.length > 0 && pictures.length === seen) return pictures;
    seen = pictures.length;
    await delay(SETTLED_MS);
    return undefined;
  });
  return shown?.at(-1)?.at ?? Number.NaN;
}

/** Pictures are told of more often than that. */
const SETTLED_MS = 300;
