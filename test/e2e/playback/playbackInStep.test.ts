// Four channels of a recording are drawn together. Measures time: runs alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLIP_WIDTH, FRAME_MS } from '../../../server/demo/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../server/demo/clip/frameStrip.ts';
import { loadDemoClips } from '../../../server/demo/clip/loadClip.ts';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { openRecordedPage } from '../../support/browser/recordedPage.ts';
import { type RecordedGateway, startRecordedGateway } from '../../support/gateway/recordedGateway.ts';
import { waitFor } from '../../support/waitFor.ts';

const MINUTE = 60_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 60 * MINUTE;
const CHANNELS = [1, 2, 3, 4];

let recorded: RecordedGateway;
let browser: Browser;
let credential: string;

beforeAll(async () => {
  [recorded, browser] = await Promise.all([startRecordedGateway(), sharedChromium()]);
  ({ credential } = await recorded.link(['playback']));
  const { road } = await loadDemoClips();
  const spans = [{ fromMs: START, toMs: START + 3 * MINUTE }];
  for (const channel of CHANNELS) await recorded.record({ channel, clip: road, spans });
});

afterAll(async () => {
  await recorded?.close();
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
  const page = await openRecordedPage(browser, { address, credential, atMs: START, mask: 15 });
  const inStepNow = async () => spreadOf((await recordTiles(page, 1, CHANNELS.length))[0] ?? []) <= 1;
  await waitFor('four pictures in step', inStepNow);
  const readings = await recordTiles(page, 4_000, CHANNELS.length);
  expect(new Set(readings.map(([first]) => first)).size).toBeGreaterThan(40);
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
