// What a tile does when its stream falls silent, breaks, closes or brings nonsense: the times are the statements' own.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newPage, setScene, shownPictures, startGateway, waitForPictures } from '../../browser/player/scene.ts';
import { launchChromium } from '../../support/browser/chromium.ts';
import {
  endPictures,
  holdClock,
  noteOpenings,
  openings,
  pageNow,
  REPORT_AGE_MS,
  type RunClock,
  runUntil,
  runUntilOpened,
} from '../../support/browser/pageClock.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import { eventPacket, type FakeGateway, type FakeViewer, videoPacket } from '../../support/fakes/fakeStream.ts';
import { spoilt } from '../../support/media/spoilt.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway({ device: { chn: 2, installchs: '', livechs: '' } });
  page = await newPage(scene.browser());
});

const open = (mask = 1) => page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1?trace=1`);
const viewersOf = (channel: number) => gateway.viewers.filter((viewer) => viewer.channel === channel);
const streamOf = async (channel: number, index = 0): Promise<FakeViewer> =>
  (await waitFor(
    `stream ${index} of channel ${channel}`,
    () => viewersOf(channel)[index],
    Boolean,
    30_000,
  )) as FakeViewer;
const aPicture = () =>
  waitFor(
    'a picture',
    () => readFrameNumber(page),
    (frame) => frame !== undefined,
  );

/** Moves the clock so far, and gives a channel that plays by the real one time to tell of new pictures meanwhile. */
async function passWith(channel: number, run: RunClock, ms: number): Promise<void> {
  const shown = async () => (await shownPictures(page)).filter((picture) => picture.channel === channel).length;
  for (let leftMs = ms; leftMs > 0; leftMs -= 4_000) {
    await run(Math.min(leftMs, 4_000));
    const before = await shown();
    await waitFor('the other channel', async () => (await shown()) > before + 12);
  }
}

describe('a stream that falls silent', () => {
  const hasSpinner = async () => (await page.getByRole('progressbar').count()) > 0;

  it('S-4.11, S-9.5: has a spinner before the first picture and from five seconds after the last one', async () => {
    await page.clock.install();
    await open();
    await page.getByRole('progressbar').waitFor();
    const stream = await streamOf(1);
    stream.play(scene.clip().frames);
    await waitForPictures(page, 10);
    await waitFor('no spinner', async () => !(await hasSpinner()));
    const run = await holdClock(page);
    await endPictures(page, () => stream.stop());
    await run(5_000 - REPORT_AGE_MS);
    expect(await hasSpinner()).toBe(false);
    expect(await runUntil(run, hasSpinner)).toBeLessThanOrEqual(5_600);
    const before = (await shownPictures(page)).length;
    const [picture] = scene.clip().frames;
    if (picture !== undefined) stream.send(videoPacket(picture, 5_000));
    await waitForPictures(page, before + 1);
    await run(300);
    // The page's clock stands: what has not gone by now never goes.
    await waitFor('no spinner', async () => !(await hasSpinner()));
  });

  it('S-4.12, S-9.6, S-9.7: is opened anew after ten seconds, then every fifteen, and no other with it', async () => {
    await page.clock.install();
    await noteOpenings(page);
    gateway.onViewer = (viewer) => {
      if (viewer.channel !== 1 || viewersOf(1).length === 1) viewer.play(scene.clip().frames);
    };
    await open(3);
    const stream = await streamOf(1);
    await waitForPictures(page, 10);
    const run = await holdClock(page);
    await endPictures(page, () => stream.stop());
    const [first] = await openings(page);
    // Whichever comes later: ten seconds of silence, fifteen since the opening.
    const dueMs = Math.max((await pageNow(page)) + 10_000, (first?.openedMs ?? Number.NaN) + 15_000);
    await passWith(2, run, dueMs - REPORT_AGE_MS - (await pageNow(page)));
    expect(await openings(page)).toHaveLength(1);
    const [, second] = await runUntilOpened(page, run, 2);
    expect((second?.requestedAtMs ?? Number.NaN) - dueMs).toBeLessThanOrEqual(800);
    await passWith(2, run, 14_000);
    const [, , third] = await runUntilOpened(page, run, 3);
    const apartMs = (third?.requestedAtMs ?? Number.NaN) - (second?.openedMs ?? Number.NaN);
    expect(apartMs).toBeGreaterThanOrEqual(14_990);
    expect(apartMs).toBeLessThanOrEqual(15_800);
    expect(viewersOf(2)).toHaveLength(1);
  });
});

describe('a decoder or canvas that fails', () => {
  it('S-4.13, S-8.13: is replaced, on a new canvas, in the same page', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    await open();
    await aPicture();
    const timeOrigin = await page.evaluate(() => performance.timeOrigin);
    await page.evaluate(() => Object.assign(document.querySelector('canvas') ?? {}, { isOld: true }));
    const stream = await streamOf(1);
    stream.stop();
    const before = (await shownPictures(page)).length;
    stream.send(videoPacket({ bytes: spoilt(scene.clip().frames[0]?.bytes), isKey: true }, 5_000));
    stream.play(scene.clip().frames, { startFrame: 5_050 });
    await within(4_000, () => waitForPictures(page, before + 10));
    await waitFor('one canvas', async () => (await page.locator('canvas').count()) === 1);
    expect(await page.evaluate(() => 'isOld' in (document.querySelector('canvas') ?? {}))).toBe(false);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(timeOrigin);
    expect(gateway.viewers).toHaveLength(1);
  });

  it('S-4.13: survives the end of the process that draws', async () => {
    // A browser of its own: what the crash leaves in it no other test meets.
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    page = await newPage(browser);
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    await open(3);
    await aPicture();
    const session = await browser.newBrowserCDPSession();
    onTestFinished(() => session.detach());
    // It answers when the process is gone, or never: what counts is what the page does.
    void session.send('Browser.crashGpuProcess').catch(() => undefined);
    await within(5_000, async () => {
      for (const tile of [0, 1]) {
        const before = await readFrameNumber(page, { tile }).catch(() => undefined);
        await waitFor(
          `tile ${tile} moves`,
          () => readFrameNumber(page, { tile }),
          (frame) => frame !== undefined && frame !== before,
        );
      }
    });
  });

  it('S-8.13: a stream that refuses at once is not asked more often than every fifteen seconds', async () => {
    await page.clock.install();
    await noteOpenings(page);
    gateway.onViewer = (viewer) => {
      viewer.send(eventPacket({ type: 'error', code: 'link-refused', message: 'no' }));
      viewer.socket.close(1008);
    };
    await open();
    await page.getByText(readTranslation('en', 'Errors')['link-refused'] ?? '?').waitFor();
    const run = await holdClock(page);
    await run(13_000);
    const [first, second] = await runUntilOpened(page, run, 2);
    expect((second?.requestedAtMs ?? Number.NaN) - (first?.requestedAtMs ?? Number.NaN)).toBeGreaterThanOrEqual(14_990);
    expect((second?.requestedAtMs ?? Number.NaN) - (first?.openedMs ?? Number.NaN)).toBeLessThanOrEqual(15_800);
  });
});

describe('a stream that closes', () => {
  it('S-4.14: says nothing to itself when nobody frames it', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    await open();
    await page.evaluate(() => {
      Object.assign(globalThis, { heard: [] });
      window.addEventListener('message', (event) =>
        (globalThis as unknown as { heard: unknown[] }).heard.push(event.data),
      );
    });
    (await streamOf(1)).cut();
    await streamOf(1, 1);
    expect(await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
  });
});
