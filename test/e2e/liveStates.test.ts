// What a tile does when its stream falls silent, breaks, closes or brings nonsense: the times are the statements' own.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newPage, setScene, shownPictures, startGateway, waitForPictures } from '../browser/player/scene.ts';
import { eventPacket, type FakeGateway, type FakeViewer, videoPacket } from '../support/fakeStream.ts';
import { hostMessages, startHostPage } from '../support/hostPage.ts';
import { spoilt } from '../support/spoilt.ts';
import { noteStalls, stalledMs } from '../support/stalls.ts';
import { readFrameNumber } from '../support/stripReader.ts';
import { waitFor } from '../support/waitFor.ts';

const scene = setScene();
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway({ device: { chn: 2, installchs: '', livechs: '' } });
  page = await newPage(scene.browser());
  await noteStalls(page);
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

/** From here on the page keeps when a spinner came and went, milliseconds since the epoch. */
async function watchSpinner(): Promise<() => Promise<{ readonly isThere: boolean; readonly atMs: number }[]>> {
  await page.evaluate(() => {
    const seen: { isThere: boolean; atMs: number }[] = [];
    const look = () => {
      const isThere = document.querySelector('[role=progressbar]') !== null;
      if (seen.at(-1)?.isThere !== isThere) seen.push({ isThere, atMs: performance.timeOrigin + performance.now() });
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    Object.assign(globalThis, { spinnerSeen: seen });
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { spinnerSeen: { isThere: boolean; atMs: number }[] }).spinnerSeen);
}

describe('a stream that falls silent', () => {
  it('S-4.11, S-9.5: has a spinner before the first picture and from five seconds after the last one', async () => {
    await open();
    await page.getByRole('progressbar').waitFor();
    const stream = await streamOf(1);
    stream.play(scene.clip().frames);
    await aPicture();
    const spinner = await watchSpinner();
    await waitForPictures(page, 75);
    stream.stop();
    await waitFor('the spinner', async () => (await spinner()).at(-1)?.isThere === true, Boolean, 8_000);
    const lastShownMs = (await shownPictures(page)).at(-1)?.at ?? 0;
    const afterMs = ((await spinner()).at(-1)?.atMs ?? 0) - lastShownMs;
    expect(afterMs).toBeGreaterThanOrEqual(5_000);
    expect(afterMs - (await stalledMs(page, lastShownMs))).toBeLessThanOrEqual(5_600);
    const before = (await shownPictures(page)).length;
    stream.play(scene.clip().frames, { startFrame: 5_000 });
    const shown = await waitForPictures(page, before + 1);
    await waitFor('no spinner', async () => (await spinner()).at(-1)?.isThere === false);
    const againMs = shown[before]?.at ?? 0;
    const goneMs = (await spinner()).at(-1)?.atMs ?? 0;
    expect(goneMs - againMs - (await stalledMs(page, againMs))).toBeLessThanOrEqual(300);
  });

  it('S-4.12, S-9.6, S-9.7: is opened anew after ten seconds, then every fifteen, and no other with it', async () => {
    const openedMs: number[] = [];
    let silentSinceMs = Number.NaN;
    gateway.onViewer = (viewer) => {
      if (viewer.channel !== 1) return viewer.play(scene.clip().frames);
      openedMs.push(performance.now());
      if (openedMs.length === 1) viewer.play(scene.clip().frames);
    };
    await open(3);
    const stream = await streamOf(1);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    stream.stop();
    silentSinceMs = performance.now();
    await waitFor('the third opening', () => openedMs.length >= 3, Boolean, 40_000);
    const [first = 0, second = 0, third = 0] = openedMs;
    // Whichever comes later: ten seconds of silence, fifteen since the opening.
    const due = Math.max(silentSinceMs + 10_000, first + 15_000);
    expect(second - due).toBeGreaterThanOrEqual(-40);
    const stoodStillMs = await stalledMs(page, Date.now() - (performance.now() - silentSinceMs));
    expect(second - due - stoodStillMs).toBeLessThanOrEqual(600);
    expect(third - second).toBeGreaterThanOrEqual(14_990);
    expect(third - second - stoodStillMs).toBeLessThanOrEqual(15_800);
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
    await waitForPictures(page, before + 10, 4_000);
    await waitFor('one canvas', async () => (await page.locator('canvas').count()) === 1);
    expect(await page.evaluate(() => 'isOld' in (document.querySelector('canvas') ?? {}))).toBe(false);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(timeOrigin);
    expect(gateway.viewers).toHaveLength(1);
  });

  it('S-4.13: survives the end of the process that draws', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    await open(3);
    await aPicture();
    const session = await scene.browser().newBrowserCDPSession();
    onTestFinished(() => session.detach());
    // It answers when the process is gone, or never: what counts is what the page does.
    void session.send('Browser.crashGpuProcess').catch(() => undefined);
    for (const tile of [0, 1]) {
      const before = await readFrameNumber(page, { tile }).catch(() => undefined);
      await waitFor(
        `tile ${tile} moves`,
        () => readFrameNumber(page, { tile }),
        (frame) => frame !== undefined && frame !== before,
      );
    }
  });

  it('S-8.13: a stream that refuses at once is not asked more often than every fifteen seconds', async () => {
    const openedMs: number[] = [];
    gateway.onViewer = (viewer) => {
      openedMs.push(performance.now());
      viewer.send(eventPacket({ type: 'error', code: 'link-refused', message: 'no' }));
      viewer.socket.close(1008);
    };
    await open();
    await waitFor('the second opening', () => openedMs.length >= 2, Boolean, 20_000);
    expect((openedMs[1] ?? 0) - (openedMs[0] ?? 0)).toBeGreaterThanOrEqual(14_990);
  });
});

describe('a stream that closes', () => {
  let host: Page;
  afterEach(() => host?.close());

  it('S-4.14: is told to the page that frames it, once, and comes back', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    const address = `${gateway.origin}/live/DEV1@3/ann/secret1`;
    host = await newPage(scene.browser());
    await noteStalls(host);
    await host.goto(await startHostPage(`<iframe width=640 height=360 src="${address}"></iframe>`));
    const stream = await streamOf(2);
    await waitFor(
      'pictures',
      () => host.frames()[1]?.locator('canvas').count(),
      (count) => count === 2,
    );
    expect(await hostMessages(host)).toEqual([]);
    const cutMs = Date.now();
    stream.cut();
    await streamOf(2, 1);
    const [message, ...others] = await hostMessages(host);
    expect(others).toEqual([]);
    expect(message?.origin).toBe(gateway.origin);
    // Nothing else in it: no user name, no credential.
    expect(message?.data).toEqual({ type: 'fleetglass:stream-closed', version: 1, deviceid: 'DEV1', channel: 2 });
    expect((message?.atMs ?? 0) - cutMs - (await stalledMs(host, cutMs))).toBeLessThan(1_000);
  });

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
