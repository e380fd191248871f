// The sound of recordings as it leaves the playback page, and four channels that are drawn together. The demo's microphones hum, and
// pip on every full second.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import { CLIP_WIDTH, FRAME_MS } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { pressOn } from '../../support/browser/keyboard.ts';
import { openRecordedPage } from '../../support/browser/recordedPage.ts';
import {
  heardBy,
  isHeard,
  loudestHertz,
  soundBeginnings,
  soundContexts,
  sounding,
  spyOnSound,
} from '../../support/browser/soundSpy.ts';
import { type RecordedGateway, startRecordedGateway } from '../../support/gateway/recordedGateway.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const MINUTE = 60_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 60 * MINUTE;
/** Four channels without sound. */
const SILENT_START = START - 10 * MINUTE;
/** Waves of the hum in a second; the pip is louder and short. */
const HUM_HZ = 90;
const CHANNELS = [1, 2, 3, 4];
const WATCHED_MS = 3_000;

let recorded: RecordedGateway;
let browser: Browser;
let credential: string;

beforeAll(async () => {
  [recorded, browser] = await Promise.all([
    startRecordedGateway(),
    sharedChromium(['--autoplay-policy=no-user-gesture-required']),
  ]);
  ({ credential } = await recorded.link(['playback']));
  const { road } = await loadDemoClips();
  // What is played fast takes minutes.
  const heard = [{ fromMs: START, toMs: START + 5 * MINUTE }];
  for (const channel of [1, 2]) await recorded.record({ channel, clip: road, spans: heard, withSound: true });
  const seen = [{ fromMs: SILENT_START, toMs: SILENT_START + MINUTE }];
  for (const channel of CHANNELS) await recorded.record({ channel, clip: road, spans: seen });
});

afterAll(async () => {
  await recorded?.close();
});

const openAt = (atMs: number, mask = 1): Promise<Page> =>
  openRecordedPage(browser, { address: recorded.gateway.address, credential, atMs, mask, prepare: spyOnSound });

const traced = (page: Page): Promise<TracedPicture[]> => page.evaluate(() => globalThis.__fleetglassTrace ?? []);
/** Waits until both channels show the picture of that moment. */
const standsAt = (page: Page, atMs: number) =>
  waitFor(
    'the picture of that moment, on both channels',
    async () => {
      const pictures = await traced(page);
      return [1, 2].map((channel) => pictures.findLast((picture) => picture.channel === channel)?.mediaTimeUs);
    },
    (standing) => standing.every((mediaTimeUs) => mediaTimeUs === atMs * 1_000),
  );
async function jumpTo(page: Page, atMs: number): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Date and time' });
  await field.fill(new Date(atMs).toISOString().slice(0, 19).replace('T', ' '));
  await pressOn(field, 'Enter');
}
const choose = (page: Page, speed: number) => page.getByRole('combobox', { name: 'Speed' }).selectOption(String(speed));
const soundIsHeard = (page: Page) => waitFor('sound', () => isHeard(page));
const isQuiet = (page: Page) => waitFor('silence', async () => !(await isHeard(page)));

/** Waits until the page has shown so much of the recording more than it has now. */
async function goesOn(page: Page, recordedMs: number): Promise<void> {
  const newest = async () => (await traced(page)).at(-1)?.mediaTimeUs ?? 0;
  const from = await newest();
  await waitFor(`${recordedMs} ms more`, async () => (await newest()) - from > recordedMs * 1_000);
}

/** How late the sound of each full second is against its picture, in milliseconds; negative where it is early. */
async function soundBehindPictures(page: Page): Promise<number[]> {
  const seconds = (await traced(page)).filter(
    ({ channel, mediaTimeUs }) => channel === 1 && mediaTimeUs % 1_000_000 === 0,
  );
  return (await soundBeginnings(page)).map((began) => {
    const [nearest = Number.NaN] = seconds.map(({ at }) => began - at).sort((a, b) => Math.abs(a) - Math.abs(b));
    return Math.round(nearest);
  });
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('the sound of a recording', () => {
  it('is heard at the speed it was recorded at, at its own pitch, within 80 ms of the pictures, and in step again behind a jump; it is left out at every other speed, and while the recording stands', async () => {
    const page = await openAt(START + 10_000, 3);
    await expectInStep(page);
    await expectSpeeds(page);
    await expectJump(page);
    // Two channels are recorded with sound, and one is heard.
    expect(await soundContexts(page)).toBe(1);
  });

  async function expectInStep(page: Page): Promise<void> {
    await soundIsHeard(page);
    const idleBefore = await processorTime();
    const pips = await waitFor(
      'five pips',
      () => soundBeginnings(page),
      (beginnings) => beginnings.length >= 5,
    );
    const apart = pips.slice(1).map((began, index) => began - (pips[index] ?? 0));
    const isSpent = await isSpentSince(idleBefore);
    expect(Math.abs(median(apart) - 1_000), `apart: ${apart.map(Math.round).join(' ')}`).toBeLessThan(
      isSpent ? 60 : 20,
    );
    await waitFor(
      'the pitch of the hum',
      () => loudestHertz(page),
      (hertz) => Math.abs(hertz - HUM_HZ) < 3,
    );
    // The middle one: a machine that is busy elsewhere moves single ones.
    const late = await soundBehindPictures(page);
    expect(Math.abs(median(late.slice(2))), `late: ${late.join(' ')}`).toBeLessThanOrEqual(isSpent ? 200 : 80);
  }

  async function expectSpeeds(page: Page): Promise<void> {
    for (const speed of [0.5, 16]) {
      await choose(page, speed);
      await isQuiet(page);
      const from = (await heardBy(page)).length;
      await goesOn(page, 1_000 * speed);
      const heard = (await heardBy(page)).slice(from);
      expect(heard.length).toBeGreaterThan(20);
      expect(sounding(heard), `${speed}x`).toEqual([]);
      await choose(page, 1);
      await soundIsHeard(page);
    }
  }

  async function expectJump(page: Page): Promise<void> {
    await page.keyboard.press(' ');
    await isQuiet(page);
    // Pictures one by one are pictures alone.
    const before = (await heardBy(page)).length;
    await jumpTo(page, START + MINUTE);
    await standsAt(page, START + MINUTE);
    for (const [key, aheadMs] of [
      ['.', 40],
      ['.', 80],
      [',', 40],
    ] as const) {
      await page.keyboard.press(key);
      await standsAt(page, START + MINUTE + aheadMs);
    }
    await waitFor('a while', async () => (await heardBy(page)).length > before + 100);
    expect(sounding((await heardBy(page)).slice(before))).toEqual([]);
    await jumpTo(page, START + 2 * MINUTE);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const idleBefore = await processorTime();
    const pips = (await soundBeginnings(page)).length;
    await waitFor('pips', async () => (await soundBeginnings(page)).length >= pips + 5);
    const late = (await soundBehindPictures(page)).slice(pips + 1);
    const limitMs = (await isSpentSince(idleBefore)) ? 200 : 80;
    expect(Math.abs(median(late)), `late: ${late.join(' ')}`).toBeLessThanOrEqual(limitMs);
  }
});

/** The frame on each of the page's canvases, read in one go with every picture of the screen. */
async function recordTiles(page: Page, durationMs: number, tiles: number): Promise<(number | undefined)[][]> {
  const request = { durationMs, tiles, width: CLIP_WIDTH, pixels: STRIP_BLOCK_PIXELS, count: STRIP_BLOCKS };
  const seen = await page.evaluate(async ({ durationMs: forMs, tiles: of, width, pixels, count }) => {
    const strip = pixels * count;
    const reading = new OffscreenCanvas(strip, of).getContext('2d', { willReadFrequently: true });
    const canvases = [...document.querySelectorAll('canvas')];
    const rows: string[][] = [];
    const endsAt = performance.now() + forMs;
    while (performance.now() < endsAt && reading !== null) {
      await new Promise(requestAnimationFrame);
      // A row of each strip: every picture of the screen is to be read.
      canvases.forEach((canvas, tile) => {
        const scale = canvas.width / width;
        reading.drawImage(canvas, 0, (pixels / 2) * scale, strip * scale, 1, 0, tile, strip, 1);
      });
      const { data } = reading.getImageData(0, 0, strip, of);
      const isWhite = (tile: number, block: number) => (data[(tile * strip + (block + 0.5) * pixels) * 4] ?? 0) > 127;
      const bitsOf = (tile: number) => Array.from({ length: count }, (_, block) => (isWhite(tile, block) ? '1' : '0'));
      rows.push(canvases.map((_, tile) => bitsOf(tile).join('')));
    }
    return rows;
  }, request);
  return seen.map((row) => row.map((bits) => decodeStrip([...bits].map((bit) => bit === '1'))?.frame));
}

const spreadOf = (frames: readonly (number | undefined)[]): number => {
  const known = frames.filter((frame) => frame !== undefined);
  return known.length < CHANNELS.length ? Number.POSITIVE_INFINITY : Math.max(...known) - Math.min(...known);
};

it('keeps four channels in step, read from their pixels', async () => {
  const { address } = recorded.gateway;
  const page = await openRecordedPage(browser, { address, credential, atMs: SILENT_START, mask: 15 });
  const inStepNow = async () => spreadOf((await recordTiles(page, 1, CHANNELS.length))[0] ?? []) <= 1;
  await waitFor('four pictures in step', inStepNow);
  const readings = await recordTiles(page, WATCHED_MS, CHANNELS.length);
  expect(new Set(readings.map(([first]) => first)).size).toBeGreaterThan((0.4 * WATCHED_MS) / FRAME_MS);
  // The screen takes four canvases over one by one, and not always in time: most readings are in step.
  const inStep = readings.filter((frames) => spreadOf(frames) <= 1);
  expect(inStep.length / readings.length).toBeGreaterThan(0.75);
  const spreads = drawingSpreadsMs(await page.evaluate(() => globalThis.__fleetglassTrace ?? []));
  expect(spreads.length).toBeGreaterThan(30);
  expect(spreads[Math.floor(spreads.length * 0.75)]).toBeLessThan(FRAME_MS);
});

/** How far apart the channels' pictures of one moment were drawn, for each of the last moments that all of them showed; ascending. */
function drawingSpreadsMs(pictures: readonly TracedPicture[]): number[] {
  const drawn = new Map<number, number[]>();
  for (const { mediaTimeUs, at } of pictures.slice(-300)) {
    drawn.set(mediaTimeUs, [...(drawn.get(mediaTimeUs) ?? []), at]);
  }
  const together = [...drawn.values()].filter((times) => times.length === CHANNELS.length);
  return together.map((times) => Math.max(...times) - Math.min(...times)).toSorted((a, b) => a - b);
}
