// Live view leaves the page's own thread alone.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPage, setScene, startGateway } from '../../browser/player/scene.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
const WATCHED_MS = 3_000;

/** The page's tasks of 50 ms and more, from now on. */
async function watchLongTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const longTasksMs: number[] = [];
    Object.assign(globalThis, { longTasksMs });
    const note = (list: PerformanceObserverEntryList) => {
      longTasksMs.push(...list.getEntries().map(({ duration }) => duration));
    };
    new PerformanceObserver(note).observe({ type: 'longtask' });
  });
  return () => page.evaluate(() => (globalThis as unknown as { longTasksMs: number[] }).longTasksMs);
}

/** Seconds of processor that the page's own thread has used. */
async function watchThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
}

describe('four channels', () => {
  it('hold the page’s own thread up with no long task once their pictures run', async () => {
    const gateway = await startGateway({ device: { chn: 4, installchs: '', livechs: '' } });
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames, { burst: 5 });
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    for (const tile of [0, 1, 2, 3]) {
      await waitFor(
        `a picture in tile ${tile}`,
        () => readFrameNumber(page, { tile }),
        (frame) => frame !== undefined,
      );
    }
    await page.locator('.tile-toolbar').nth(3).waitFor({ state: 'attached' });
    const longTasksMs = await watchLongTasks(page);
    const threadSeconds = await watchThread(page);
    const idleBefore = await processorTime();
    const before = await threadSeconds();
    await page.evaluate((forMs) => new Promise((resolve) => setTimeout(resolve, forMs)), WATCHED_MS);
    // A busy machine takes the thread away in the middle of a task and adds its own time to the task, but not to what the thread computed.
    const limitMs = (await isSpentSince(idleBefore)) ? 1_000 : 200;
    expect(Math.max(0, ...(await longTasksMs()))).toBeLessThan(limitMs);
    expect((await threadSeconds()) - before).toBeLessThan((WATCHED_MS / 1_000) * 0.1);
  });
});
