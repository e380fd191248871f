// How long a page stood still. A machine that stops for a moment adds that to any time that is measured in a page; what a
// statement allows is meant of one that does not.
import type { Page } from 'playwright-core';

interface Stall {
  /** Milliseconds since the epoch by the page's clock, at its end. */
  readonly atMs: number;
  readonly lateMs: number;
}

const INTERVAL_MS = 20;

/** From here on, and in each document to come, the page notes how late its own timer comes. */
export async function noteStalls(page: Page): Promise<void> {
  const note = (intervalMs: number) => {
    const stalls: Stall[] = [];
    let lastMs = performance.now();
    Object.assign(globalThis, { stalls });
    setInterval(() => {
      const nowMs = performance.now();
      const lateMs = nowMs - lastMs - intervalMs;
      if (lateMs > intervalMs) stalls.push({ atMs: performance.timeOrigin + nowMs, lateMs });
      lastMs = nowMs;
    }, intervalMs);
  };
  await page.addInitScript(note, INTERVAL_MS);
  await page.evaluate(note, INTERVAL_MS);
}

/** How long the page stood still altogether since that moment of its clock, in the document that is there now. */
export async function stalledMs(page: Page, sinceMs = 0): Promise<number> {
  const stalls = await page.evaluate(() => (globalThis as unknown as { stalls: Stall[] }).stalls);
  return stalls.reduce((sum, { atMs, lateMs }) => (atMs < sinceMs ? sum : sum + lateMs), 0);
}
