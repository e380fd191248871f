// The whole path: a terminal over TCP, the built gateway, the built page, pixels read back from the canvas.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { FRAME_MS, LOOP_FRAMES } from '../../../simulator/clip/clipFormat.ts';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import {
  firstPictureMs,
  noteFirstPicture,
  readFrameNumber,
  recordFrameNumbers,
} from '../../support/browser/stripReader.ts';
import { sharedWatchedProduct, VEHICLE, type WatchedProduct } from '../../support/gateway/watchedProduct.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const WATCHED_MS = IS_LONG ? 60_000 : 3_000;
/** Attempts: a machine that stops for a moment may spoil one of them, not all; what the page itself needs does not change. */
const OPENINGS = 3;

let watched: WatchedProduct;
beforeAll(async () => {
  watched = await sharedWatchedProduct();
});

/** The built live page of one channel, whose terminal sends. */
async function openTerminalsPage(): Promise<Page> {
  const clip = await loadDemoClip('road');
  const gateway = { host: '127.0.0.1', port: watched.product.jt808Port };
  const terminal = new SimulatedTerminal({ profile: { ...VEHICLE, channels: 1 }, gateway, clip });
  const context = await (await sharedChromium()).newContext({ viewport: { width: 1280, height: 720 }, locale: 'en' });
  const page = await context.newPage();
  onTestFinished(async () => {
    terminal.stop();
    await context.close();
  });
  consoleGuard(page);
  terminal.start();
  return page;
}

const picture = (page: Page) =>
  waitFor(
    'a picture',
    () => readFrameNumber(page),
    (frame) => frame !== undefined,
  );

it('one channel, from its socket to the screen: a picture is there within a second of the navigation, and that of the present moment; S-1.3: every frame is shown, each once and in order, on a canvas', async () => {
  const page = await openTerminalsPage();
  await expectFirstPicture(page);
  await expectEveryFrame(page);
  await expect.poll(() => page.locator('video:visible').count()).toBe(0);
});

async function expectFirstPicture(page: Page): Promise<void> {
  await noteFirstPicture(page);
  const before = await processorTime();
  const shownAfterMs: number[] = [];
  const link = `/live/${VEHICLE.deviceId}@1/${watched.credentialOf(VEHICLE)}?trace=1`;
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.goto(watched.product.address + link, { waitUntil: 'commit' });
    shownAfterMs.push((await waitFor('the first picture', () => firstPictureMs(page))) ?? 0);
  }
  const limitMs = (await isSpentSince(before)) ? 3_000 : 1_000;
  expect(Math.min(...shownAfterMs), `after ${shownAfterMs} ms`).toBeLessThan(limitMs);
  const first = await picture(page);
  await waitFor('another picture', async () => (await picture(page)) !== first);
  const behind: number[] = [];
  // The best of five: a reading takes as long as this machine lets it.
  for (let reading = 0; reading < 5; reading++) {
    const shown = (await picture(page)) ?? 0;
    const due = Math.floor(Date.now() / FRAME_MS) % LOOP_FRAMES;
    behind.push((due - shown + LOOP_FRAMES) % LOOP_FRAMES);
  }
  expect(Math.min(...behind), `behind by ${behind} pictures`).toBeLessThan((await isSpentSince(before)) ? 40 : 10);
}

async function expectEveryFrame(page: Page): Promise<void> {
  const before = await tracedFrames(page);
  const idleBefore = await processorTime();
  const read = await recordFrameNumbers(page, WATCHED_MS);
  const isSpent = await isSpentSince(idleBefore);
  // The player reports what it drew a few pictures at a time, so what was read last is reported last.
  const shown = await waitFor(
    'word of the last picture read',
    async () => (await tracedFrames(page)).slice(before.length),
    (frames) => frames.some((frame) => frame % LOOP_FRAMES === read.at(-1)),
  );

  // The two records take time to begin and end, which is subtracted; what is missing in between shows in the next line.
  expect(shown.length).toBeGreaterThan(((WATCHED_MS - 1_000) / FRAME_MS) * (isSpent ? 0.4 : 0.9));
  expect(shown.slice(1).filter((frame, index) => frame !== (shown[index] ?? 0) + 1)).toEqual([]);
  // The canvas bears the player out: its pixels show what the player says it drew, in that order. A reading may
  // miss a picture that stood for 40 ms; the player may not. The first may be of a picture drawn before both records.
  if (!isSpent) expect(read.length).toBeGreaterThan(shown.length / 2);
  const drawn = shown.map((frame) => frame % LOOP_FRAMES);
  expect(notInOrder(read.slice(1), drawn)).toEqual([]);
}

/** Numbers of the pictures that the player has drawn, by the terminal's own clock. */
function tracedFrames(page: Page): Promise<number[]> {
  return page.evaluate((frameMs) => {
    const { __fleetglassTrace: pictures = [] } = globalThis as {
      __fleetglassTrace?: { readonly deviceTimeMs: number }[];
    };
    return pictures.map(({ deviceTimeMs }) => Math.round(deviceTimeMs / frameMs));
  }, FRAME_MS);
}

/** The numbers in `read` that do not follow in `drawn` after the one before them. */
function notInOrder(read: readonly number[], drawn: readonly number[]): number[] {
  let at = 0;
  return read.filter((frame) => {
    const found = drawn.indexOf(frame, at);
    if (found >= 0) at = found + 1;
    return found < 0;
  });
}
