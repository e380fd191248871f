// Eight vehicles replayed on GPS Playback of the real gateway, drawn in software.
import type { BrowserContext, Page } from 'playwright-core';
import { waitFor } from '../../support/waitFor.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { DAY_MS } from './drivenMonth.ts';
import type { Filled } from './fill.ts';

const SPEED = 32;
const READY_WITHIN_MS = 60_000;
const HOUR_MS = 3_600_000;
const BEGIN_HOUR = 8;
/** The points around the clock are loaded by then. */
const WARM_UP_MS = 3_000;

export interface Replayed {
  readonly filled: Filled;
  readonly seconds: number;
}

export async function benchReplay(
  context: BrowserContext,
  address: string,
  { filled, seconds }: Replayed,
): Promise<Row[]> {
  const page = await context.newPage();
  // What compiles this file names functions by a helper, which a page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(probe);
  const fromMs = filled.toMs - DAY_MS;
  const query = new URLSearchParams(filled.deviceIds.map((id) => ['device', id]));
  query.set('from', String(fromMs));
  query.set('to', String(filled.toMs));
  query.set('at', String(fromMs + BEGIN_HOUR * HOUR_MS));
  const startedMs = performance.now();
  await page.goto(`${address}/innerpage/gpsplayback.html?${query}`);
  const lines = page.locator(`[data-map="ready"][data-lines="${filled.deviceIds.length}"]`);
  await lines.waitFor({ timeout: READY_WITHIN_MS });
  const readyMs = performance.now() - startedMs;
  await page.getByRole('combobox', { name: 'Speed' }).selectOption(String(SPEED));
  const rows: Row[] = [];
  for (const tab of ['Trips', 'Points'] as const) {
    await page.getByRole('tab', { name: tab }).click();
    for (const isFollowing of [false, true]) {
      const follow = page.getByRole('button', { name: 'Follow' });
      if ((await follow.getAttribute('aria-pressed')) !== String(isFollowing)) await follow.click();
      const shown = `${tab.toLowerCase()}${isFollowing ? ', following' : ''}`;
      rows.push({ beside: shown, 'ready ms': rounded(readyMs, 0), ...(await play(page, seconds)) });
    }
  }
  await page.close();
  return rows;
}

async function play(page: Page, seconds: number): Promise<Row> {
  const atMs = (): Promise<number> =>
    page.evaluate(() => Number(document.querySelector<HTMLElement>('[data-at]')?.dataset.at));
  const beganMs = await atMs();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await waitFor('the clock runs', atMs, (now) => now > beganMs, READY_WITHIN_MS);
  await page.waitForTimeout(WARM_UP_MS);
  await page.evaluate(() => globalThis.replayProbe.reset());
  const [clockMs, startedMs] = [await atMs(), performance.now()];
  await page.waitForTimeout(seconds * 1_000);
  const seen = await page.evaluate(() => globalThis.replayProbe.read());
  const tookMs = performance.now() - startedMs;
  const speed = ((await atMs()) - clockMs) / tookMs;
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  return {
    speed: rounded(speed, 1),
    fps: rounded((seen.framesMs.length * 1_000) / tookMs),
    'frame p95 ms': rounded(percentile(seen.framesMs, 0.95), 0),
    'longest frame ms': rounded(Math.max(0, ...seen.framesMs), 0),
    'long tasks': seen.longTasksMs.length,
    'longest ms': rounded(Math.max(0, ...seen.longTasksMs), 0),
  };
}

interface Probe {
  reset(): void;
  read(): { readonly framesMs: readonly number[]; readonly longTasksMs: readonly number[] };
}

declare global {
  var replayProbe: Probe;
}

/** Runs in the page: times of frames, and tasks above 50 ms. */
function probe(): void {
  let framesMs: number[] = [];
  let longTasksMs: number[] = [];
  let lastMs = performance.now();
  const look = (): void => {
    const nowMs = performance.now();
    framesMs.push(nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasksMs.push(duration);
  }).observe({ entryTypes: ['longtask'] });
  globalThis.replayProbe = {
    reset: () => {
      framesMs = [];
      longTasksMs = [];
    },
    read: () => ({ framesMs, longTasksMs }),
  };
}
