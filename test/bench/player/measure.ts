// One run of one player: a fresh browser, a warm-up, a window, and what was seen in it.
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.ts';
import { readStripSamples, startStripSamples } from '../../support/browser/stripSampler.ts';
import { processorTime } from '../../support/runner/processorTime.ts';
import { type TreeMemory, treeCpuSeconds, treeMemory } from '../../support/runner/processTree.ts';
import { waitFor } from '../../support/waitFor.ts';
import { browserProcessId } from '../browserProcess.ts';
import { type Judged, judgeChannel, judgePixels, screenAges } from './judge.ts';
import { clockOffsetMs, heapMib, prepareProbe, readFirsts, readLongTasks, readTrace } from './pageProbe.ts';
import type { PictureServer } from './pictureServer.ts';
import { recordScreens } from './screens.ts';

export interface PlayerUnderTest {
  readonly name: string;
  /** Path of the page that plays this many channels in this many columns. */
  readonly path: (channels: number, columns: number) => string;
}

export interface Run extends Judged {
  /** From the navigation to the first picture of the last channel. */
  readonly firstMs: number;
  readonly cpuPerSecond: number;
  /** Processor time of the rest of the machine meanwhile: the bench itself, and other programs. */
  readonly otherCpuPerSecond: number;
  readonly longTasks: number;
  readonly heapMib: number;
  readonly memory: TreeMemory;
  readonly pixelChecks: number;
  readonly wrongPixels: number;
  /** Age of each picture in composited screens of the page. */
  readonly screenAgeMs: readonly number[];
}

export interface Window {
  readonly warmUpMs: number;
  readonly lengthMs: number;
}

export const PICTURE = { width: 704, height: 576 };
/** A tile of 16:9 in which such a picture is shown at 464x380, whatever the number of channels. */
const CELL = { width: 676, height: 380 };
const GAP = 2;
const SCREENS_MS = 4_000;

export async function measurePlayer(
  player: PlayerUnderTest,
  channels: number,
  { server, window }: { readonly server: PictureServer; readonly window: Window },
): Promise<Run> {
  const browser = await launchChromium(['--autoplay-policy=no-user-gesture-required']);
  try {
    const columns = columnsOf(channels);
    const rows = Math.ceil(channels / columns);
    const viewport = {
      width: CELL.width * columns + GAP * (columns - 1),
      height: CELL.height * rows + GAP * (rows - 1),
    };
    const page = await browser.newPage({ viewport });
    await prepareProbe(page);
    await page.goto(server.address + player.path(channels, columns), { waitUntil: 'commit' });
    const firsts = await waitFor(
      'a picture of every channel',
      async () => Object.values(await readFirsts(page)),
      (all) => all.length === channels,
      15_000,
    );
    await page.waitForTimeout(window.warmUpMs);
    return { ...(await measureWindow(page, browser, { server, window })), firstMs: Math.max(...firsts) };
  } finally {
    await browser.close();
  }
}

/** Columns as our page lays the channels out. */
function columnsOf(channels: number): number {
  if (channels <= 1) return 1;
  if (channels <= 4) return 2;
  return channels <= 6 ? 3 : 4;
}

interface WindowStart {
  readonly server: PictureServer;
  readonly window: Window;
}

async function measureWindow(
  page: Page,
  browser: Browser,
  { server, window }: WindowStart,
): Promise<Omit<Run, 'firstMs'>> {
  const offsetMs = await clockOffsetMs(page);
  const browserId = await browserProcessId(browser);
  const session = await page.context().newCDPSession(page);
  await startStripSamples(page, PICTURE.width);
  const longBefore = await readLongTasks(page);
  const machineBefore = await processorTime();
  const cpuBefore = await treeCpuSeconds(browserId);
  const fromMs = performance.timeOrigin + performance.now();
  await page.waitForTimeout(window.lengthMs);
  const toMs = performance.timeOrigin + performance.now();
  const cpuPerSecond = ((await treeCpuSeconds(browserId)) - cpuBefore) / ((toMs - fromMs) / 1000);
  const machine = (await processorTime()).busySeconds - machineBefore.busySeconds;
  const longTasks = (await readLongTasks(page)) - longBefore;
  const memory = await treeMemory(browserId);
  // What was sent at the end of the window may still be on its way to the screen.
  await page.waitForTimeout(2_000);
  const seen = await readTrace(page);
  const pixels = judgePixels(await readStripSamples(page), seen);
  const usedHeapMib = await heapMib(session);
  // Screenshots cost more than the players do, so they come last.
  const screens = await recordScreens(page, session, { lengthMs: SCREENS_MS, picture: PICTURE });
  const span = { fromMs, toMs, offsetMs };
  const channels = [...server.sent].map(([channel, sent]) => judgeChannel(sent, seen.get(channel) ?? [], span));
  return {
    ...together(channels),
    ...pixels,
    cpuPerSecond,
    otherCpuPerSecond: machine / ((toMs - fromMs) / 1000) - cpuPerSecond,
    longTasks,
    memory,
    heapMib: usedHeapMib,
    screenAgeMs: screenAges(screens, server.sent),
  };
}

function together(channels: readonly Judged[]): Judged {
  const sum = (pick: (channel: Judged) => number): number => channels.reduce((total, each) => total + pick(each), 0);
  return {
    latencyMs: channels.flatMap(({ latencyMs }) => latencyMs),
    committedMs: channels.flatMap(({ committedMs }) => committedMs),
    gapMs: channels.flatMap(({ gapMs }) => gapMs),
    beforeHoleMs: channels.flatMap(({ beforeHoleMs }) => beforeHoleMs),
    afterHoleMs: channels.flatMap(({ afterHoleMs }) => afterHoleMs),
    sent: sum(({ sent }) => sent),
    shown: sum(({ shown }) => shown),
    fps: sum(({ fps }) => fps) / channels.length,
  };
}
