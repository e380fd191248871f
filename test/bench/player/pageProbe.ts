// What the bench asks of a page that plays, ours or another player's.
import type { CDPSession, Page } from 'playwright-core';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../server/demo/clip/frameStrip.ts';

/** A picture that a page showed; every kind of page gathers them in the same place. Times in epoch milliseconds. */
export interface Seen {
  readonly channel: number;
  readonly mediaTimeUs: number;
  readonly at: number;
  readonly committedAt?: number;
  /** Of a video element: how many pictures it has shown, those included that were told to nobody. */
  readonly presentedFrames?: number;
}

/** A strip read back from what the page shows. */
export interface PixelCheck {
  readonly channel: number;
  readonly at: number;
  /** Undefined where the pixels held no strip of that channel. */
  readonly frame: number | undefined;
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

/** The page's clock minus ours: half of a round trip at most, the shortest of twenty. */
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

/** Has the page read one strip of each channel back from its pixels every second: one frame in 25. */
export async function startPixelChecks(page: Page, pictureWidth: number): Promise<void> {
  const request = { pictureWidth, blockPixels: STRIP_BLOCK_PIXELS, blockCount: STRIP_BLOCKS };
  await page.evaluate(({ pictureWidth: encodedWidth, blockPixels, blockCount }) => {
    const holder = globalThis as { pixelChecks?: { channel: number; at: number; blocks: boolean[] }[] };
    const checks: { channel: number; at: number; blocks: boolean[] }[] = [];
    holder.pixelChecks = checks;
    const reading = new OffscreenCanvas(blockCount, 1);
    const context = reading.getContext('2d', { willReadFrequently: true });
    const elements = [...document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>('canvas, video')];
    let turn = 0;
    setInterval(() => {
      const index = turn++ % elements.length;
      const element = elements[index];
      if (element === undefined || context === null) return;
      const width = element instanceof HTMLVideoElement ? element.videoWidth : element.width;
      const scale = width / encodedWidth;
      for (let block = 0; block < blockCount; block++) {
        const x = (block + 0.5) * blockPixels * scale;
        context.drawImage(element, x, (blockPixels / 2) * scale, 1, 1, block, 0, 1, 1);
      }
      const { data } = context.getImageData(0, 0, blockCount, 1);
      // The strip is written into the luma alone: the test card's colours shine through it.
      const blocks = Array.from({ length: blockCount }, (_, block) => {
        const [red = 0, green = 0, blue = 0] = data.subarray(block * 4);
        return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
      });
      checks.push({ channel: index + 1, at: performance.timeOrigin + performance.now(), blocks });
    }, 1000 / elements.length);
  }, request);
}

export async function readPixelChecks(page: Page): Promise<PixelCheck[]> {
  const checks = await page.evaluate(
    () => (globalThis as { pixelChecks?: { channel: number; at: number; blocks: boolean[] }[] }).pixelChecks ?? [],
  );
  return checks.map(({ channel, at, blocks }) => {
    const strip = decodeStrip(blocks);
    return { channel, at, frame: strip?.channel === channel ? strip.frame : undefined };
  });
}
