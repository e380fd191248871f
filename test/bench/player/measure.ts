// One run of one player: a fresh browser, a warm-up, a window, and what was seen in it.
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { waitFor } from '../../support/waitFor.ts';
import { treeCpuSeconds } from '../processTree.ts';
import { gaps, percentile } from '../statistics.ts';
import { FRAME_MS, type PictureServer, type SentTimes } from './pictureServer.ts';

export interface PlayerUnderTest {
  readonly name: string;
  /** Path of the page that plays so many channels. */
  readonly path: (channels: number) => string;
}

export interface Run {
  readonly latencyMs: readonly number[];
  readonly gapMs: readonly number[];
  readonly sent: number;
  readonly shown: number;
  /** From the navigation to the first picture of the last channel. */
  readonly firstMs: number;
  readonly cpuPerSecond: number;
  readonly longTasks: number;
}

export interface Window {
  readonly warmUpMs: number;
  readonly lengthMs: number;
}

/** A picture that a page saw; both kinds of page gather them in the same place. */
interface Seen {
  readonly streamId?: number;
  readonly channel?: number;
  readonly mediaTimeUs: number;
  readonly at: number;
}

export async function measurePlayer(
  player: PlayerUnderTest,
  channels: number,
  { server, window }: { readonly server: PictureServer; readonly window: Window },
): Promise<Run> {
  const browser = await launchChromium(['--autoplay-policy=no-user-gesture-required']);
  try {
    const page = await browser.newPage({ viewport: viewportOf(channels) });
    await countLongTasks(page);
    const startedAt = Date.now();
    await page.goto(server.address + player.path(channels), { waitUntil: 'commit' });
    const first = await waitFor(
      'a picture of every channel',
      () => firstOfEach(page),
      (map) => map.size === channels,
      15_000,
    );
    await page.waitForTimeout(window.warmUpMs);
    return await measureWindow(page, browser, { server, window, firstMs: Math.max(...first.values()) - startedAt });
  } finally {
    await browser.close();
  }
}

const CELL = { width: 464, height: 380 };

/** Both players show each channel in a cell of the same size, whatever their number: drawing larger costs more. */
function viewportOf(channels: number): { readonly width: number; readonly height: number } {
  const columns = channels > 6 ? 4 : Math.ceil(Math.sqrt(channels));
  return { width: CELL.width * columns, height: CELL.height * Math.ceil(channels / columns) };
}

interface WindowStart {
  readonly server: PictureServer;
  readonly window: Window;
  readonly firstMs: number;
}

async function measureWindow(page: Page, browser: Browser, { server, window, firstMs }: WindowStart): Promise<Run> {
  const offsetMs = await clockOffsetMs(page);
  const browserId = await browserProcessId(browser);
  const cpuBefore = await treeCpuSeconds(browserId);
  const longBefore = await longTasks(page);
  const fromMs = performance.timeOrigin + performance.now();
  await page.waitForTimeout(window.lengthMs);
  const toMs = performance.timeOrigin + performance.now();
  const cpuPerSecond = ((await treeCpuSeconds(browserId)) - cpuBefore) / ((toMs - fromMs) / 1000);
  const longTaskCount = (await longTasks(page)) - longBefore;
  // What was sent at the end of the window may still be on its way to the screen.
  await page.waitForTimeout(2_000);
  const seen = byChannel(await readTrace(page));
  const results = [...server.sent].map(([channel, times]) =>
    judge(times, seen.get(channel) ?? [], { fromMs, toMs, offsetMs }),
  );
  return {
    latencyMs: results.flatMap((result) => result.latencyMs),
    gapMs: results.flatMap((result) => result.gapMs),
    sent: results.reduce((total, result) => total + result.sent, 0),
    shown: results.reduce((total, result) => total + result.shown, 0),
    firstMs,
    cpuPerSecond,
    longTasks: longTaskCount,
  };
}

interface Judged {
  readonly latencyMs: number[];
  readonly gapMs: number[];
  readonly sent: number;
  readonly shown: number;
}

function judge(
  times: SentTimes,
  seen: readonly Seen[],
  { fromMs, toMs, offsetMs }: { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number },
): Judged {
  const shownAt = new Map(seen.map((each) => [Math.round(each.mediaTimeUs / 1000 / FRAME_MS), each.at - offsetMs]));
  const frames = [...times].filter(([, sentAt]) => sentAt >= fromMs && sentAt < toMs);
  const shown = frames.filter(([frame]) => shownAt.has(frame));
  return {
    latencyMs: shown.map(([frame, sentAt]) => (shownAt.get(frame) ?? Number.NaN) - sentAt),
    gapMs: gaps(shown.map(([frame]) => shownAt.get(frame) ?? Number.NaN).sort((left, right) => left - right)),
    sent: frames.length,
    shown: shown.length,
  };
}

/** The page's clock minus ours: half of a round trip at most, the shortest of twenty. */
async function clockOffsetMs(page: Page): Promise<number> {
  const readings: { readonly offset: number; readonly trip: number }[] = [];
  for (let round = 0; round < 20; round++) {
    const before = performance.timeOrigin + performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = performance.timeOrigin + performance.now();
    readings.push({ offset: there - (before + after) / 2, trip: after - before });
  }
  return readings.sort((left, right) => left.trip - right.trip)[0]?.offset ?? 0;
}

async function browserProcessId(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  await session.detach();
  if (main === undefined) throw new Error('the browser does not name its process');
  return main.id;
}

function readTrace(page: Page): Promise<Seen[]> {
  return page.evaluate(() => (globalThis as { __fleetglassTrace?: Seen[] }).__fleetglassTrace ?? []);
}

/** Streams are numbered in the order of the channels. */
function byChannel(seen: readonly Seen[]): Map<number, Seen[]> {
  const channels = new Map<number, Seen[]>();
  for (const each of seen) {
    const channel = each.channel ?? each.streamId ?? 0;
    const list = channels.get(channel) ?? [];
    list.push(each);
    channels.set(channel, list);
  }
  return channels;
}

async function firstOfEach(page: Page): Promise<Map<number, number>> {
  const firsts = [...byChannel(await readTrace(page))].map(
    ([channel, seen]) => [channel, Math.min(...seen.map(({ at }) => at))] as const,
  );
  return new Map(firsts);
}

async function countLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = globalThis as { longTaskCount?: number };
    counter.longTaskCount = 0;
    new PerformanceObserver((list) => {
      counter.longTaskCount = (counter.longTaskCount ?? 0) + list.getEntries().length;
    }).observe({ type: 'longtask', buffered: true });
  });
}

function longTasks(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as { longTaskCount?: number }).longTaskCount ?? 0);
}

/** The figures of several runs of one player as a table's row. */
export function summarise(name: string, channels: number, runs: readonly Run[]): Record<string, string | number> {
  const latency = runs.flatMap((run) => run.latencyMs);
  const mean = (pick: (run: Run) => number): number => runs.reduce((total, run) => total + pick(run), 0) / runs.length;
  const round = (value: number, digits: number): number => Number(value.toFixed(digits));
  return {
    player: name,
    channels,
    runs: runs.length,
    sent: runs.reduce((total, run) => total + run.sent, 0),
    'p50 ms': round(percentile(latency, 0.5), 1),
    'p95 ms': round(percentile(latency, 0.95), 1),
    'max ms': round(Math.max(...latency), 1),
    'gap p95 ms': round(
      percentile(
        runs.flatMap((run) => run.gapMs),
        0.95,
      ),
      1,
    ),
    dropped: runs.reduce((total, run) => total + run.sent - run.shown, 0),
    'first ms': round(
      mean((run) => run.firstMs),
      0,
    ),
    'CPU s/s': round(
      mean((run) => run.cpuPerSecond),
      3,
    ),
    'long tasks': runs.reduce((total, run) => total + run.longTasks, 0),
  };
}
