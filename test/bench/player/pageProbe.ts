// What the bench reads from a page that plays, ours or another player's.
import type { CDPSession, Page } from 'playwright-core';

/** A picture that a page showed; every kind of page gathers them in the same place. Times in epoch milliseconds. */
export interface Seen {
  readonly channel: number;
  readonly mediaTimeUs: number;
  readonly at: number;
  readonly committedAt?: number;
  /** How many pictures a video element has shown, including those that it did not report. */
  readonly presentedFrames?: number;
}

/** Call before the navigation. */
export async function prepareProbe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = globalThis as { longTaskCount?: number };
    counter.longTaskCount = 0;
    new PerformanceObserver((list) => {
      counter.longTaskCount = (counter.longTaskCount ?? 0) + list.getEntries().length;
    }).observe({ type: 'longtask', buffered: true });
  });
}

export function readLongTasks(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as { longTaskCount?: number }).longTaskCount ?? 0);
}

export async function readTrace(page: Page): Promise<Map<number, Seen[]>> {
  const seen = await page.evaluate(() => (globalThis as { __fleetglassTrace?: Seen[] }).__fleetglassTrace ?? []);
  const channels = new Map<number, Seen[]>();
  for (const picture of seen) {
    const list = channels.get(picture.channel) ?? [];
    list.push(picture);
    channels.set(picture.channel, list);
  }
  return channels;
}

/** When each channel's first picture was shown, in milliseconds from the navigation. */
export function readFirsts(page: Page): Promise<Record<number, number>> {
  return page.evaluate(() => {
    const firsts: Record<number, number> = {};
    for (const { channel, at } of (globalThis as { __fleetglassTrace?: Seen[] }).__fleetglassTrace ?? []) {
      firsts[channel] ??= at - performance.timeOrigin;
    }
    return firsts;
  });
}

/** The page's clock minus ours, accurate to half of a round trip, the shortest of twenty. */
export async function clockOffsetMs(page: Page): Promise<number> {
  const readings: { readonly offset: number; readonly trip: number }[] = [];
  for (let round = 0; round < 20; round++) {
    const before = performance.timeOrigin + performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = performance.timeOrigin + performance.now();
    readings.push({ offset: there - (before + after) / 2, trip: after - before });
  }
  return readings.sort((left, right) => left.trip - right.trip)[0]?.offset ?? 0;
}

/** The page's own JavaScript heap after a collection, without its workers'. */
export async function heapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}
