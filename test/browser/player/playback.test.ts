// Local playback in Chromium, on recordings whose pictures are locked to the epoch: what is on the canvas says its own time.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import { FRAME_MS, frameAt, LOOP_FRAMES } from '../../../simulator/clip/clipFormat.ts';
import { noteStalls, stalledMs } from '../../support/browser/stalls.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { FakePlayback, type FakePlaybackOptions } from '../../support/fakes/fakePlayback.ts';
import type { FakeGateway, FakeGatewayOptions } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';
import { newPage, setScene, shownPictures, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const START = Date.UTC(2026, 10, 20, 14, 3, 5);
let gateway: FakeGateway;
let playback: FakePlayback;

interface Opening extends FakeGatewayOptions, Omit<FakePlaybackOptions, 'pictures'> {
  readonly mask?: number;
  readonly query?: string;
}

async function openPlayback({ mask = 1, query = '', ...options }: Opening = {}): Promise<Page> {
  gateway = await startGateway({ device: { chn: 4, installchs: '1111', livechs: '0000' }, ...options });
  playback = new FakePlayback(gateway, { pictures: scene.clip().frames, ...options });
  onTestFinished(() => playback.close());
  const page = await newPage(scene.browser(), { timezoneId: 'UTC', viewport: { width: 1280, height: 760 } });
  await noteStalls(page);
  await page.goto(`${gateway.origin}/playback/DEV1@${mask}/0/2026-11-20T14:03:05Z/ann/secret1?trace=1${query}`);
  return page;
}

const aPicture = (page: Page, tile = 0) =>
  waitFor(
    'a picture',
    () => readFrameNumber(page, { tile }),
    (frame) => frame !== undefined,
  );
/** Paused, and the page has heard of it: the picture of the session's position. */
async function standing(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await waitFor('the pause', () => playback.messages.some(({ type }) => type === 'pause'));
  const isShown = async () => (await readFrameNumber(page)) === frameAt(playback.positionMs);
  // Twice: the page may find that it is ahead of where the session stopped.
  await waitFor('the picture of the position', async () => {
    if (!(await isShown())) return false;
    await delay(300);
    return isShown();
  });
  return frameAt(playback.positionMs);
}
const shows = (page: Page, frame: number, tile = 0) =>
  waitFor(
    `frame ${frame}`,
    () => readFrameNumber(page, { tile }),
    (shown) => shown === frame,
  );

describe('playback', () => {
  it('shows the moment that the address names, and goes on in time', async () => {
    const page = await openPlayback();
    await aPicture(page);
    const [opening] = await waitForPictures(page, 1);
    const openingMs = (opening?.mediaTimeUs ?? 0) / 1_000;
    expect(openingMs).toBeGreaterThanOrEqual(START);
    // The session's clock does not wait for a machine that starts slowly: the first picture is that of its own moment.
    const offMs = Math.abs(playback.positionAtMs(opening?.at ?? 0) - openingMs);
    expect(offMs - (await stalledMs(page))).toBeLessThan(150);
    const before = (await shownPictures(page)).length;
    const pictures = await waitFor(
      'a while of pictures',
      async () => (await shownPictures(page)).slice(before),
      (shown) => shown.length > 20 && (shown.at(-1)?.at ?? 0) - (shown[0]?.at ?? 0) > 1_500,
    );
    const frames = pictures.map(({ mediaTimeUs }) => mediaTimeUs / 1_000 / FRAME_MS);
    expect(frames.slice(1).filter((frame, index) => frame <= (frames[index] ?? 0))).toEqual([]);
    // A machine that is busy with other things leaves pictures out, and never falls behind.
    const [first, last] = [pictures[0], pictures.at(-1)];
    const recordedMs = ((last?.mediaTimeUs ?? 0) - (first?.mediaTimeUs ?? 0)) / 1_000;
    const driftMs = Math.abs(recordedMs - ((last?.at ?? 0) - (first?.at ?? 0)));
    expect(driftMs - (await stalledMs(page, first?.at))).toBeLessThan(150);
  });

  it('pauses at once, steps picture by picture, and goes on', async () => {
    const page = await openPlayback();
    await aPicture(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    const stood = await standing(page);
    await page.keyboard.press('.');
    await shows(page, (stood + 1) % LOOP_FRAMES);
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await shows(page, (stood - 1 + LOOP_FRAMES) % LOOP_FRAMES);
    await page.keyboard.press(' ');
    await waitFor('play', async () => (await readFrameNumber(page)) !== (stood - 1 + LOOP_FRAMES) % LOOP_FRAMES);
  });

  it('stays at the picture that it paused at, and steps from there, when the gateway has stopped before it', async () => {
    const page = await openPlayback({ pausesBeforeMs: 1_000 });
    await aPicture(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    const stood = await standing(page);
    expect(playback.messages.map(({ type }) => type)).toEqual(['pause', 'seek']);
    await page.keyboard.press('.');
    await shows(page, (stood + 1) % LOOP_FRAMES);
    await page.keyboard.press(',');
    await shows(page, stood);
  });

  it('keeps tiles in step on a network that delivers each channel at another pace', async () => {
    let count = 0;
    // Up to 200 ms late, another time for each message.
    const delayMs = (channel: number) => ((count++ * 7_919 * channel) % 5) * 50;
    const page = await openPlayback({ mask: 3, delayMs });
    await aPicture(page, 1);
    await waitFor('some seconds', async () => (await shownPictures(page)).length > 120);
    // A machine without time to spare leaves out other pictures of one channel than of the other: what both show counts.
    const apart = await waitFor(
      'pictures that both show',
      async () => apartMs((await shownPictures(page)).slice(30)),
      (all) => all.length > 20,
    );
    expect(apart.toSorted((one, two) => one - two)[Math.floor(apart.length / 2)]).toBeLessThan(40);
  });

  /** How far apart in time two channels showed each picture that both have shown. */
  function apartMs(pictures: readonly TracedPicture[]): number[] {
    const drawn = new Map<number, number[]>();
    for (const { mediaTimeUs, at } of pictures) drawn.set(mediaTimeUs, [...(drawn.get(mediaTimeUs) ?? []), at]);
    return [...drawn.values()].filter((times) => times.length === 2).map(([one = 0, two = 0]) => Math.abs(one - two));
  }

  it('goes back to where it was, at its speed, when the gateway has forgotten the session', async () => {
    const page = await openPlayback();
    await aPicture(page);
    await page.getByRole('textbox', { name: 'Date and time' }).fill('2026-11-20 15:00:00');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
    const later = START + 57 * 60_000;
    const isThere = (picture: { readonly mediaTimeUs: number } | undefined) =>
      (picture?.mediaTimeUs ?? 0) / 1_000 > later - 5_000;
    await waitFor('the moment', async () => isThere((await shownPictures(page)).at(-1)));
    const before = gateway.viewers.length;
    playback.restart();
    await waitFor('a new stream', () => gateway.viewers.length > before);
    await waitFor('the session where it was', () => playback.positionMs > later - 10_000);
    await waitFor('its speed', () => playback.messages.some(({ type }) => type === 'speed'));
    await expect.poll(() => page.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('2');
  });

  it('scrubs with the mouse, zooms with the wheel, and jumps to the next recording', async () => {
    const later = START + 3_600_000;
    const ranges = () => [
      { fromMs: START - 600_000, toMs: START + 600_000 },
      { fromMs: later, toMs: later + 600_000 },
    ];
    const page = await openPlayback({ ranges });
    await aPicture(page);
    const slider = page.getByRole('slider');
    const span = async () =>
      Number(await slider.getAttribute('aria-valuemax')) - Number(await slider.getAttribute('aria-valuemin'));
    expect(await span()).toBe(86_400);
    await page.getByRole('button', { name: 'Next recording' }).click();
    await waitFor('the next recording', () => Math.abs(playback.positionMs - later) < 5_000);
    await page.getByRole('button', { name: 'Previous recording' }).click();
    await waitFor('the first recording', () => Math.abs(playback.positionMs - (START - 600_000)) < 8_000);
    const box = await slider.boundingBox();
    if (box === null) throw new Error('the timeline has no place');
    const x = box.x + (box.width * (14 * 3_600 + 5 * 60)) / 86_400;
    await page.mouse.move(x - 40, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(x, box.y + 30, { steps: 5 });
    await page.mouse.up();
    const wanted = Date.UTC(2026, 10, 20, 14, 5);
    await waitFor('the place of the mouse', () => Math.abs(playback.positionMs - wanted) < 120_000);
    await waitFor('play again', () => playback.messages.at(-1)?.type === 'resume');
    await page.mouse.wheel(0, -400);
    await waitFor('a shorter view', async () => (await span()) < 43_200);
    await page.getByRole('button', { name: 'Show whole day' }).click();
    await waitFor('the day', async () => (await span()) === 86_400);
  });
});
