// Virtual time in a page. Its workers and the server keep to the real time: a page whose clock is to be moved waits for nothing
// of theirs meanwhile. Call `page.clock.install()` before the page goes anywhere.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitFor } from '../waitFor.ts';

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

/** By the page's clock, milliseconds since the epoch. */
interface Opening {
  readonly url: string;
  readonly requestedAtMs: number;
  /** Undefined until the page has heard of it: what it waits for afterwards counts from here. */
  openedMs?: number;
}

/** Call before the navigation: from then on the page notes when it asks its worker for a stream, and when that is open. */
export async function noteOpenings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const openings: (Opening & { streamId: unknown })[] = [];
    const watched = new WeakSet<Worker>();
    Object.assign(globalThis, { openings });
    const native = Worker.prototype.postMessage as (...args: unknown[]) => void;
    Worker.prototype.postMessage = function note(this: Worker, ...args: unknown[]): void {
      const { type, url, streamId } = args[0] as { type?: string; url?: string; streamId?: unknown };
      if (url !== undefined && (type === 'open' || type === 'reconnect')) {
        openings.push({ url, streamId, requestedAtMs: Date.now() });
        if (!watched.has(this)) this.addEventListener('message', noteOpened);
        watched.add(this);
      }
      native.apply(this, args);
    };
    const noteOpened = ({ data }: MessageEvent<{ type?: string; streamId?: unknown }>) => {
      const opening = openings.findLast(({ streamId }) => streamId === data.streamId);
      if (data.type === 'opened' && opening !== undefined) opening.openedMs = Date.now();
    };
  });
}

/** The times at which it asked for the stream of a channel: of a held clock they are exact. */
export async function openings(page: Page, ofChannel = 1): Promise<Opening[]> {
  const noted = await page.evaluate(() => (globalThis as unknown as { openings: Opening[] }).openings);
  return noted.filter(({ url }) => new URL(url, page.url()).searchParams.get('channel') === String(ofChannel));
}

/** Moves the clock until the page has asked for that stream so many times, and lets it stand until the last is open. */
export async function runUntilOpened(page: Page, run: RunClock, count: number): Promise<Opening[]> {
  await runUntil(run, async () => (await openings(page)).length >= count);
  return waitFor(
    'the stream',
    () => openings(page),
    (all) => all.at(-1)?.openedMs !== undefined,
  );
}

/**
 * Ends a channel's pictures while the page's clock stands, and waits until the page knows of the last one. By that clock it was
 * then shown when the clock was held, less what its report was old: a worker's time and that of a page behind it are never compared.
 */
export async function endPictures(page: Page, stop: () => void, ofChannel = 1): Promise<void> {
  stop();
  let seen = -1;
  await waitFor('the last picture', async () => {
    const all = await page.evaluate(() => globalThis.__fleetglassTrace ?? []);
    const before = seen;
    seen = all.filter(({ channel }) => channel === ofChannel).length;
    if (seen > 0 && seen === before) return true;
    await delay(SETTLED_MS);
    return false;
  });
}

/** Pictures are told of more often than that. */
const SETTLED_MS = 300;

/** How old the report of a picture, or of data sent ahead of it, is at most. */
export const REPORT_AGE_MS = 700;
