// Local playback in Chromium, on recordings whose pictures are locked to the epoch: what is on the canvas says its own time.
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FRAME_MS, frameAt, LOOP_FRAMES } from '../../../server/demo/clip/clipFormat.ts';
import { FakePlayback, type FakePlaybackOptions } from '../../support/fakePlayback.ts';
import type { FakeGateway, FakeGatewayOptions } from '../../support/fakeStream.ts';
import { readFrameNumber, recordFrameNumbers } from '../../support/stripReader.ts';
import { waitFor } from '../../support/waitFor.ts';
import { newPage, setScene, shownPictures, startGateway } from './scene.ts';

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
  await page.goto(`${gateway.origin}/playback/DEV1@${mask}/0/2026-11-20T14:03:05Z/ann/secret1?trace=1${query}`);
  return page;
}

const aPicture = (page: Page, tile = 0) =>
  waitFor(
    'a picture',
    () => readFrameNumber(page, { tile }),
    (frame) => frame !== undefined,
  );
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
    const [first] = await shownPictures(page);
    expect((first?.mediaTimeUs ?? 0) / 1_000 - START).toBeLessThan(200);
    expect((first?.mediaTimeUs ?? 0) / 1_000).toBeGreaterThanOrEqual(START);
    const before = (await shownPictures(page)).length;
    await recordFrameNumbers(page, 2_000);
    const pictures = (await shownPictures(page)).slice(before);
    const frames = pictures.map(({ mediaTimeUs }) => mediaTimeUs / 1_000 / FRAME_MS);
    expect(frames.length).toBeGreaterThan(35);
    expect(frames.slice(1).filter((frame, index) => frame !== (frames[index] ?? 0) + 1)).toEqual([]);
  });

  it('pauses at once, steps picture by picture, and goes on', async () => {
    const page = await openPlayback();
    await aPicture(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await waitFor('the pause', () => playback.messages.some(({ type }) => type === 'pause'));
    const stood = frameAt(playback.positionMs);
    await shows(page, stood);
    await page.keyboard.press('.');
    await shows(page, (stood + 1) % LOOP_FRAMES);
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await shows(page, (stood - 1 + LOOP_FRAMES) % LOOP_FRAMES);
    await page.keyboard.press(' ');
    await waitFor('play', async () => (await readFrameNumber(page)) !== (stood - 1 + LOOP_FRAMES) % LOOP_FRAMES);
  });
});
