// Recordings of simulated terminals on the screen: terminals over TCP, the built gateway, the built page, its pixels.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import { shownPictures, waitForPictures } from '../../browser/player/scene.ts';
import { hostMessages, startHostPage } from '../../support/browser/hostPage.ts';
import { noteStalls, stalledMs } from '../../support/browser/stalls.ts';
import { recordFrameNumbers } from '../../support/browser/stripReader.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import { OTHER, VEHICLE } from '../../support/gateway/watchedProduct.ts';
import { isSpentSince, processorTime, within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';
import { makeLink, RECORDED, REMOTE, revokeLink, setRemoteScene } from './remoteScene.ts';

const scene = setRemoteScene();
const { newPage, startTerminal, upgrades, plays } = scene;

const WATCHED_MS = 2_000;

interface Wanted {
  readonly vehicle?: typeof VEHICLE;
  /** Since the epoch. */
  readonly start?: number;
  /** The credential of another link than the vehicle's own. */
  readonly credential?: string;
  readonly query?: string;
}

const addressOf = ({ vehicle = VEHICLE, start = RECORDED, credential, query = '' }: Wanted = {}) =>
  `/remote/${vehicle.deviceId}/60/${start}/${credential ?? scene.credentialOf(vehicle)}?trace=1${query}`;
const open = (page: Page, wanted?: Wanted) => page.goto(addressOf(wanted));
const alertText = async (page: Page) => (await page.getByRole('alert').allTextContents()).join('');
const tileText = async (page: Page) => (await page.locator('section').allTextContents()).join('');

describe('a recording that a device keeps', () => {
  it('S-1.3, S-2.7.1: is shown on a canvas from the second asked for, every picture in its order, without controls where the address wants none', async () => {
    // One that sends ahead: what lies between the key frame and the second asked for is not shown.
    await startTerminal({ ...VEHICLE, quirks: { card: { isUnpaced: true } } });
    const page = await newPage();
    // Five seconds into the hour: between two key frames.
    await open(page, { start: RECORDED + 5, query: '&controls=0' });
    const [first] = await waitForPictures(page, 1);
    expect(first?.deviceTimeMs).toBe((RECORDED + 5) * 1000);
    const read = await recordFrameNumbers(page, WATCHED_MS);
    // The page tells of pictures a while after it has shown them.
    const pictures = await waitFor(
      'word of the last picture that was read',
      () => shownPictures(page),
      (told) => told.some(({ deviceTimeMs }) => frameAt(deviceTimeMs) === read.at(-1)),
    );
    const times = pictures.map(({ deviceTimeMs }) => deviceTimeMs);
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 40)).toBe(true);
    // What the pixels say is what belongs to the time that the packets bear.
    const frames = new Set(times.map((time) => frameAt(time)));
    // The page's own word: how many of them the pixels are read of is a matter of this machine's time.
    const untilMs = pictures.at(-1)?.at ?? 0;
    expect(pictures.filter(({ at }) => at > untilMs - WATCHED_MS).length).toBeGreaterThan(
      (WATCHED_MS / FRAME_MS) * (2 / 3),
    );
    expect(read.length).toBeGreaterThan(5);
    expect(read.filter((frame) => !frames.has(frame))).toEqual([]);
    // About as fast as it was recorded, however fast the device sends: a page that was held up catches up (the gateway's own pace:
    // test/server/stream/remote/remotePlayback.test.ts).
    const [from, to] = [pictures[25], pictures.at(-1)];
    const pace = ((to?.deviceTimeMs ?? 0) - (from?.deviceTimeMs ?? 0)) / ((to?.at ?? 0) - (from?.at ?? 0));
    expect(pace).toBeLessThan(2);
    expect(await page.title()).toBe('DEV1 Playback');
    await expect.poll(() => page.locator('.playback-controls').count()).toBe(0);
    await expect.poll(() => page.locator('section.video-tile button').count()).toBe(0);
    await expect.poll(() => page.locator('video:visible').count()).toBe(0);
  });

  it('S-2.8.1: is played from two devices at once, each its own; fills the screen by a double click and no more by another, goes on in a page that is loaded again, and ends on the device with the page, and within two seconds with its link', async () => {
    const [terminal, revoked] = await Promise.all([startTerminal(VEHICLE), startTerminal(OTHER)]);
    const credential = await makeLink(scene.product, OTHER);
    const [one, other] = [await newPage(), await newPage()];
    await Promise.all([open(one), open(other, { vehicle: OTHER, start: RECORDED + 630, credential })]);
    const [ofOne, ofOther] = await Promise.all([waitForPictures(one, 10), waitForPictures(other, 10)]);
    expect(ofOne[0]?.deviceTimeMs).toBe(RECORDED * 1000);
    expect(ofOther[0]?.deviceTimeMs).toBe((RECORDED + 630) * 1000);
    expect(
      plays()
        .map(({ body }) => (JSON.parse(body) as { deviceid: string }).deviceid)
        .sort(),
    ).toEqual(['DEV1', 'DEV2']);
    const [, secret = ''] = credential.split('/');
    await revokeLink(scene.product, secret);
    const wanted = readTranslation('en', 'Errors')['link-refused'] ?? '?';
    await within(2_500, () =>
      waitFor(
        'the refusal',
        () => tileText(other),
        (text) => text.includes(wanted),
      ),
    );
    await within(10_000, () => waitFor('the device has stopped', () => revoked.playbacks.length === 0));
    expect(terminal.playbacks).toEqual([1]);
    await expectFullScreen(one);
    await one.reload();
    const [first] = await waitForPictures(one, 5);
    expect(first?.deviceTimeMs).toBe(RECORDED * 1000);
    expect(await alertText(one)).toBe('');
    expect(terminal.playbacks).toEqual([1]);
    await one.close();
    // The gateway waits five seconds for the page to come back.
    await within(10_000, () => waitFor('the device has stopped', () => terminal.playbacks.length === 0));
  });

  async function expectFullScreen(page: Page): Promise<void> {
    await page.bringToFront();
    const onScreen = () => page.evaluate(() => document.fullscreenElement?.querySelectorAll('canvas').length ?? 0);
    await page.locator('canvas').dblclick({ force: true });
    await waitFor('full screen', async () => (await onScreen()) === 1);
    expect(await page.evaluate(() => document.fullscreenElement?.textContent)).toContain('ch 1');
    await page.locator('canvas').dblclick({ force: true });
    await waitFor('the page again', async () => (await onScreen()) === 0);
  }

  it('S-4.14: is told to the framing page when its stream closes, and goes on where it was', async () => {
    const terminal = await startTerminal(VEHICLE);
    const host = await newPage();
    await noteStalls(host);
    const address = `${scene.tap.address}${addressOf()}`;
    await host.goto(await startHostPage(`<iframe width=640 height=360 src="${address}"></iframe>`));
    await waitFor('the stream', () => upgrades().length === 1);
    const frame = await waitFor('the frame', () => host.frames()[1]);
    const pictures = () => frame?.evaluate(() => globalThis.__fleetglassTrace ?? []);
    await waitFor('pictures', pictures, (shown) => (shown?.length ?? 0) > 20);
    expect(await hostMessages(host)).toEqual([]);
    const idleBefore = await processorTime();
    const cutMs = Date.now();
    scene.tap.cutSockets({ path: REMOTE });
    const [message] = await waitFor(
      'the message',
      () => hostMessages(host),
      (all) => all.length > 0,
    );
    expect(message?.data).toEqual({ type: 'fleetglass:stream-closed', version: 1, deviceid: 'DEV1', channel: 1 });
    const toldAfterMs = (message?.atMs ?? 0) - cutMs - (await stalledMs(host, cutMs));
    expect(toldAfterMs).toBeLessThan((await isSpentSince(idleBefore)) ? 3_000 : 1_000);
    const before = (await pictures())?.length ?? 0;
    const shown = await waitFor('pictures again', pictures, (all) => (all?.length ?? 0) > before + 20);
    const times = shown?.map(({ deviceTimeMs }) => deviceTimeMs) ?? [];
    // It waited for the page: nothing was played to nobody.
    expect(Math.max(...times.map((time, index) => (index === 0 ? 0 : time - (times[index - 1] ?? 0))))).toBeLessThan(
      600,
    );
    expect(terminal.playbacks).toEqual([1]);
    expect(plays().length).toBe(1);
    // One tile that is framed fills the window (S-2.5.15 on this route).
    const box = await frame?.evaluate(() => ({
      canvas: document.querySelector('canvas')?.getBoundingClientRect().toJSON() as DOMRect | undefined,
      scrolls: document.documentElement.scrollHeight > document.documentElement.clientHeight,
    }));
    expect([box?.canvas?.width, box?.canvas?.height, box?.scrolls]).toEqual([640, 360, false]);
  });
});

// What it says then in each language: test/dom/player/remoteFailures.test.ts, and in a tile: remoteControls.test.ts.
it('a device that does not play is told as it is: away, refusing, with an empty card', async () => {
  const page = await newPage({ allowed: [409, 404].map((status) => ({ url: /remote\/play/, status })) });
  for (const [card, code] of [
    [undefined, 'device-offline'],
    [{ playback: 'refused' }, 'device-refused'],
    [{ list: 'empty' }, 'nothing-recorded'],
  ] as const) {
    const terminal = card === undefined ? undefined : await startTerminal({ ...VEHICLE, quirks: { card } });
    await open(page);
    const wanted = readTranslation('en', 'Errors')[code];
    await waitFor(
      code,
      () => alertText(page),
      (text) => text === wanted,
    );
    expect(await page.title()).toBe('error');
    terminal?.stop();
  }
  expect(upgrades()).toEqual([]);
});
