// Has a page read the strips of all its pictures back from their pixels, one after another, for as long as it is open.
import type { Page } from 'playwright-core';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';

/** A strip read back from what the page shows. */
export interface StripSample {
  /** Which canvas or video of the page, from 0. */
  readonly tile: number;
  /** By the page's clock, epoch milliseconds. */
  readonly at: number;
  /** Undefined where the pixels held no strip. */
  readonly strip: { readonly frame: number; readonly channel: number } | undefined;
}

interface RawSample {
  readonly tile: number;
  readonly at: number;
  readonly blocks: boolean[];
}

/** Each tile is read once a second: of 25 pictures one. `pictureWidth` is that of the encoded picture. */
export async function startStripSamples(page: Page, pictureWidth: number): Promise<void> {
  const request = { encodedWidth: pictureWidth, blockPixels: STRIP_BLOCK_PIXELS, blockCount: STRIP_BLOCKS };
  await page.evaluate(({ encodedWidth, blockPixels, blockCount }) => {
    const samples: RawSample[] = [];
    (globalThis as { stripSamples?: RawSample[] }).stripSamples = samples;
    const reading = new OffscreenCanvas(blockCount, 1);
    const context = reading.getContext('2d', { willReadFrequently: true });
    const tiles = document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>('canvas, video').length;
    let turn = 0;
    setInterval(() => {
      const tile = turn++ % tiles;
      const element = document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>('canvas, video')[tile];
      if (element === undefined || context === null) return;
      const scale = (element instanceof HTMLVideoElement ? element.videoWidth : element.width) / encodedWidth;
      // The strip's middle row, of each block the pixel in its middle. One drawing: each takes a copy of the canvas without a GPU.
      context.imageSmoothingEnabled = false;
      const width = blockPixels * blockCount * scale;
      context.drawImage(element, 0, (blockPixels / 2) * scale, width, 1, 0, 0, blockCount, 1);
      const { data } = context.getImageData(0, 0, blockCount, 1);
      // Some clips write the strip into the luma alone: their colours shine through it.
      const blocks = Array.from({ length: blockCount }, (_, block) => {
        const [red = 0, green = 0, blue = 0] = data.subarray(block * 4);
        return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
      });
      samples.push({ tile, at: performance.timeOrigin + performance.now(), blocks });
    }, 1000 / tiles);
  }, request);
}

export async function readStripSamples(page: Page): Promise<StripSample[]> {
  const samples = await page.evaluate(() => (globalThis as { stripSamples?: RawSample[] }).stripSamples ?? []);
  return samples.map(({ tile, at, blocks }) => ({ tile, at, strip: decodeStrip(blocks) }));
}
