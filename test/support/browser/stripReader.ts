// Reads the machine-readable strip of a clip's pictures back from the canvas of a page.
import type { Frame, Page } from 'playwright-core';
import { CLIP_WIDTH } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';

export interface StripShape {
  /** Width of the encoded picture: the canvas may be drawn at another size. */
  readonly pictureWidth: number;
  /** Which canvas, from 0. */
  readonly tile: number;
  /** Selects the canvases that count: a page may have others than those of videos. */
  readonly canvases: string;
}

const DEFAULT_SHAPE: StripShape = { pictureWidth: CLIP_WIDTH, tile: 0, canvases: 'canvas' };

/** A page, or a frame in one. */
type Shown = Pick<Frame, 'evaluate'>;

/** The frame number that the canvas shows now; undefined while there is no picture with a strip. */
export async function readFrameNumber(page: Shown, shape: Partial<StripShape> = {}): Promise<number | undefined> {
  const [blocks] = await readBlocks(page, { ...DEFAULT_SHAPE, ...shape }, { durationMs: 0 });
  return blocks === undefined ? undefined : decodeStrip(toBooleans(blocks))?.frame;
}

/** The frame numbers seen in a stretch of time, one for every change. Reads with each of the page's animation frames. */
export async function recordFrameNumbers(
  page: Shown,
  durationMs: number,
  shape: Partial<StripShape> = {},
): Promise<number[]> {
  return toFrames(await readBlocks(page, { ...DEFAULT_SHAPE, ...shape }, { durationMs }));
}

/** The frame numbers of the first pictures from now on, one for every change. */
export async function firstFrameNumbers(
  page: Shown,
  pictures: number,
  shape: Partial<StripShape> = {},
): Promise<number[]> {
  const until = { durationMs: DEADLINE_MS, changes: pictures + OTHER_CHANGES };
  return toFrames(await readBlocks(page, { ...DEFAULT_SHAPE, ...shape }, until)).slice(0, pictures);
}

const DEADLINE_MS = 40_000;
/** Before the first picture a canvas may be empty, and then black. */
const OTHER_CHANGES = 2;

function toFrames(seen: readonly string[]): number[] {
  const frames = seen.map((blocks) => decodeStrip(toBooleans(blocks))?.frame);
  return frames.filter((frame) => frame !== undefined).filter((frame, index, all) => frame !== all[index - 1]);
}

const toBooleans = (blocks: string): boolean[] => [...blocks].map((block) => block === '1');

interface ReadUntil {
  readonly durationMs: number;
  /** Ends before that with so many. */
  readonly changes?: number;
}

/** Strips as texts of 0 and 1; one reading when the duration is 0. A page without a canvas gives none. */
function readBlocks(page: Shown, shape: StripShape, { durationMs, changes = Infinity }: ReadUntil): Promise<string[]> {
  const request = { ...shape, durationMs, changes, blockPixels: STRIP_BLOCK_PIXELS, blockCount: STRIP_BLOCKS };
  return page.evaluate(async ({ pictureWidth, tile, canvases, blockPixels, blockCount, ...until }) => {
    const reading = new OffscreenCanvas(blockCount, 1);
    const context = reading.getContext('2d', { willReadFrequently: true });
    const read = (): string | undefined => {
      const canvas = document.querySelectorAll<HTMLCanvasElement>(canvases)[tile];
      if (canvas === undefined || canvas.width === 0 || context === null) return undefined;
      const scale = canvas.width / pictureWidth;
      // The strip's middle row, of each block the pixel in its middle. One drawing: each takes a copy of the canvas without a GPU.
      context.imageSmoothingEnabled = false;
      const width = blockPixels * blockCount * scale;
      context.drawImage(canvas, 0, (blockPixels / 2) * scale, width, 1, 0, 0, blockCount, 1);
      const { data } = context.getImageData(0, 0, blockCount, 1);
      return Array.from({ length: blockCount }, (_, block) => ((data[block * 4] ?? 0) > 127 ? '1' : '0')).join('');
    };
    const first = read();
    const seen = first === undefined ? [] : [first];
    const endsAt = performance.now() + until.durationMs;
    while (performance.now() < endsAt && seen.length < until.changes) {
      await new Promise(requestAnimationFrame);
      const next = read();
      if (next !== undefined && next !== seen.at(-1)) seen.push(next);
    }
    return seen;
  }, request);
}

/** Call before the navigation: from then on each page notes when its first picture was on a canvas. */
export async function noteFirstPicture(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const reading = new OffscreenCanvas(1, 1);
    const context = reading.getContext('2d', { willReadFrequently: true });
    const look = (): void => {
      const canvas = document.querySelector('canvas');
      if (canvas !== null && canvas.width > 0 && context !== null) {
        context.drawImage(canvas, canvas.width / 2, canvas.height / 2, 1, 1, 0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
        if (red + green + blue > 60) {
          document.documentElement.dataset.firstPictureMs = String(performance.now());
          return;
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Milliseconds from the navigation to the first picture; undefined while there was none. */
export async function firstPictureMs(page: Page): Promise<number | undefined> {
  const noted = await page.evaluate(() => document.documentElement.dataset.firstPictureMs);
  return noted === undefined ? undefined : Number(noted);
}
