// The dashboard with thousands of devices that all move every second: what it takes of the browser, without a graphics card.
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.ts';
import { waitFor } from '../../support/waitFor.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { type DashboardServer, startDashboardServer } from './server.ts';

const WINDOW = { width: 1440, height: 900 };
const READY_WITHIN_MS = 60_000;

export async function benchDashboard(
  counts: readonly number[],
  seconds: number,
  note: (text: string) => unknown,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of counts) {
    note(`dashboard: ${count} devices`);
    rows.push(await measure(count, seconds));
  }
  return rows;
}

async function measure(devices: number, seconds: number): Promise<Row> {
  const server = await startDashboardServer(devices);
  const browser = await launchChromium(['--enable-unsafe-swiftshader']);
  try {
    return await measureIn(browser, server, { devices, seconds });
  } finally {
    await browser.close();
    await server.close();
  }
}

interface Measured {
  readonly devices: number;
  readonly seconds: number;
}

async function measureIn(browser: Browser, server: DashboardServer, { devices, seconds }: Measured): Promise<Row> {
  const page = await browser.newPage({ viewport: WINDOW, locale: 'en-US' });
  // What compiles this file names functions by a helper, which a page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(probe);
  const startedMs = performance.now();
  await page.goto(`${server.address}/innerpage/dashboard.html`, { waitUntil: 'commit' });
  await page.locator('[data-device]').first().waitFor({ timeout: READY_WITHIN_MS });
  const listMs = performance.now() - startedMs;
  await page.locator('[data-map="ready"]').waitFor({ timeout: READY_WITHIN_MS });
  await waitFor('marks', () => page.evaluate(() => hasMarks()), Boolean, READY_WITHIN_MS);
  const mapMs = performance.now() - startedMs;
  const resting = await observe(page, server, () => page.waitForTimeout(seconds * 1000));
  const panning = await observe(page, server, () => pan(page, seconds));
  return {
    devices,
    'list ms': rounded(listMs, 0),
    'map ms': rounded(mapMs, 0),
    'updates/s': rounded(resting.updates / resting.seconds, 2),
    'shown after p50 ms': rounded(percentile(resting.delaysMs, 0.5), 0),
    'shown after p95 ms': rounded(percentile(resting.delaysMs, 0.95), 0),
    'long tasks/s': rounded(resting.longTasksMs.length / resting.seconds, 2),
    'longest ms': rounded(Math.max(0, ...resting.longTasksMs), 0),
    'panning fps': rounded(panning.frames / panning.seconds),
    'panning updates/s': rounded(panning.updates / panning.seconds, 2),
    'panning longest ms': rounded(Math.max(0, ...panning.longTasksMs), 0),
  };
}

interface Observed {
  readonly seconds: number;
  readonly frames: number;
  readonly updates: number;
  readonly delaysMs: readonly number[];
  readonly longTasksMs: readonly number[];
}

async function observe(page: Page, server: DashboardServer, during: () => Promise<void>): Promise<Observed> {
  await page.evaluate(() => globalThis.dashboardProbe.reset());
  const startedMs = performance.now();
  await during();
  const seconds = (performance.now() - startedMs) / 1000;
  const seen = await page.evaluate(() => globalThis.dashboardProbe.read());
  const delaysMs = seen.shown.flatMap(({ turn, atMs }) => {
    const turnedAtMs = server.fleet.turnedAtMs.get(turn);
    return turnedAtMs === undefined ? [] : [atMs - turnedAtMs];
  });
  return { seconds, frames: seen.frames, updates: seen.shown.length, delaysMs, longTasksMs: seen.longTasksMs };
}

/** Drags the map in circles, as a hand does. */
async function pan(page: Page, seconds: number): Promise<void> {
  const centre = { x: 500, y: 560 };
  const endsMs = performance.now() + seconds * 1000;
  await page.mouse.move(centre.x, centre.y);
  await page.mouse.down();
  for (let step = 0; performance.now() < endsMs; step++) {
    const angle = step / 12;
    await page.mouse.move(centre.x + 220 * Math.sin(angle), centre.y + 160 * Math.sin(angle * 0.7));
  }
  await page.mouse.up();
}

interface Probe {
  reset(): void;
  read(): {
    readonly frames: number;
    readonly shown: readonly { readonly turn: number; readonly atMs: number }[];
    readonly longTasksMs: readonly number[];
  };
}

declare global {
  var dashboardProbe: Probe;
  function hasMarks(): boolean;
}

/** Runs in the page: counts frames, notes when the list shows another turn of the fleet, and tasks above 50 ms. */
function probe(): void {
  let frames = 0;
  let shown: { turn: number; atMs: number }[] = [];
  let longTasksMs: number[] = [];
  let last = -1;
  const look = (): void => {
    frames++;
    const turn = Number(/(\d+) km\/h/.exec(document.querySelector('[data-device]')?.textContent ?? '')?.[1] ?? -1);
    if (turn !== last) shown.push({ turn, atMs: Date.now() });
    last = turn;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasksMs.push(duration);
  }).observe({ entryTypes: ['longtask'] });
  globalThis.dashboardProbe = {
    reset: () => {
      frames = 0;
      shown = [];
      longTasksMs = [];
    },
    read: () => ({ frames, shown, longTasksMs }),
  };
  globalThis.hasMarks = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.fleet-map-devices');
    const context = canvas?.getContext('2d');
    if (canvas === null || !context || canvas.width === 0) return false;
    return context.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0);
  };
}
