// What GPS Playback shows with each picture of the screen on which its clock has moved, read in the page at that very moment.
import type { Page } from 'playwright-core';
import { CLIP_WIDTH } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';

export interface ShownPlace {
  readonly lat: number;
  readonly lng: number;
}

export interface ClockSample {
  /** By the page's time base, which has nothing to do with the clock that is shown. */
  readonly nowMs: number;
  readonly atMs: number;
  /** Keyed by device. */
  readonly places: ReadonlyMap<string, ShownPlace>;
  /** Share of the time that is shown; undefined without a chart. */
  readonly chartShare: number | undefined;
  readonly sliderShare: number | undefined;
  readonly text: string;
  /** Frame numbers burnt into the picture of each canvas of the video; undefined where there is none. */
  readonly frames: readonly (number | undefined)[];
}

interface RawSample extends Pick<ClockSample, 'nowMs' | 'atMs' | 'chartShare' | 'sliderShare' | 'text'> {
  readonly places: string;
  readonly strips: readonly string[];
}

declare global {
  var __clockSamples: RawSample[] | undefined;
}

/** Watches the clock from now on; call it once a page. */
export async function watchClock(page: Page): Promise<void> {
  const shape = { pictureWidth: CLIP_WIDTH, blockPixels: STRIP_BLOCK_PIXELS, blockCount: STRIP_BLOCKS };
  await page.evaluate(({ pictureWidth, blockPixels, blockCount }) => {
    const samples: RawSample[] = [];
    globalThis.__clockSamples = samples;
    const map = document.querySelector<HTMLElement>('[data-map]');
    const reading = new OffscreenCanvas(blockCount, 1).getContext('2d', { willReadFrequently: true });
    if (map === null || reading === null) throw new Error('there is no map yet');
    const shareOf = (selector: string): number | undefined => {
      const moved = document.querySelector<HTMLElement>(selector)?.style.transform ?? '';
      const percent = /translateX\((-?[\d.e-]+)%\)/.exec(moved)?.[1];
      return percent === undefined ? undefined : Number(percent) / 100;
    };
    const stripOf = (canvas: HTMLCanvasElement): string => {
      if (canvas.width === 0) return '';
      const block = (canvas.width / pictureWidth) * blockPixels;
      // One drawing has the strip's middle row, with the pixel in the middle of each block: without a GPU, each drawing takes a
      // copy of the canvas.
      reading.imageSmoothingEnabled = false;
      reading.drawImage(canvas, 0, block / 2, block * blockCount, 1, 0, 0, blockCount, 1);
      const { data } = reading.getImageData(0, 0, blockCount, 1);
      return Array.from({ length: blockCount }, (_, at) => ((data[at * 4] ?? 0) > 127 ? '1' : '0')).join('');
    };
    // Reading canvases with each picture of the screen takes a machine without a GPU all the time that the page has.
    let stripsAtMs = Number.NEGATIVE_INFINITY;
    let strips: string[] = [];
    const readStrips = (): string[] => {
      if (performance.now() - stripsAtMs < 40) return strips;
      stripsAtMs = performance.now();
      strips = [...document.querySelectorAll<HTMLCanvasElement>('canvas.video-tile-canvas')].map(stripOf);
      return strips;
    };
    const sample = (): void => {
      const { at = '', places = '' } = map.dataset;
      samples.push({
        nowMs: performance.now(),
        atMs: Number(at),
        places,
        chartShare: shareOf('[data-cursor]'),
        sliderShare: shareOf('[data-playhead]'),
        text: document.querySelector('[data-clock]')?.textContent ?? '',
        strips: readStrips(),
      });
    };
    // Samples are taken when all that shows the clock has been drawn, and before the next picture.
    new MutationObserver(sample).observe(map, { attributeFilter: ['data-at'] });
    sample();
  }, shape);
}

/** The samples since `watchClock`, or since they were forgotten. */
export async function clockSamples(page: Page): Promise<readonly ClockSample[]> {
  return toSamples(await page.evaluate(() => globalThis.__clockSamples ?? []));
}

/** What is shown at present, also while the clock stands: places come later than the clock where points are loaded first. */
export async function clockSampleNow(page: Page): Promise<ClockSample | undefined> {
  const raw = await page.evaluate(async () => {
    const map = document.querySelector<HTMLElement>('[data-map]');
    // Setting a value takes a sample, also where it is the same.
    if (map !== null) map.dataset.at = map.dataset.at ?? '';
    await Promise.resolve();
    return globalThis.__clockSamples?.slice(-1) ?? [];
  });
  return toSamples(raw).at(0);
}

/**
 * Forgets the samples before, and gives those of the next `durationMs` once that is over. It is for whoever waits for something in them:
 * reading the samples of seconds many times a second keeps the page from decoding, and its pictures lag behind.
 */
export async function nextClockSamples(page: Page, durationMs: number): Promise<readonly ClockSample[]> {
  const raw = await page.evaluate(async (ms) => {
    globalThis.__clockSamples?.splice(0);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return globalThis.__clockSamples ?? [];
  }, durationMs);
  return toSamples(raw);
}

function toSamples(raw: readonly RawSample[]): ClockSample[] {
  return raw.map(({ places, strips, ...sample }) => ({
    ...sample,
    places: placesOf(places),
    frames: strips.map((bits) => decodeStrip([...bits].map((bit) => bit === '1'))?.frame),
  }));
}

export async function forgetClockSamples(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.__clockSamples?.splice(0));
}

function placesOf(text: string): ReadonlyMap<string, ShownPlace> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [id = '', lat = Number.NaN, lng = Number.NaN] = line.split(' ');
      return [id, { lat: Number(lat), lng: Number(lng) }];
    }),
  );
}

export interface Stretch {
  readonly shownMs: number;
  readonly clockMs: number;
  readonly longestFrameMs: number;
  readonly frames: number;
}

/** How far the clock came, and how long that took. */
export function stretchOf(samples: readonly ClockSample[]): Stretch {
  const steps = samples.slice(1).map(({ nowMs }, at) => nowMs - (samples[at]?.nowMs ?? nowMs));
  // The clock is set when the drawing of a picture begins and read when it ends, which is known only of samples that have one before them.
  const [first, last] = [samples[1], samples.at(-1)];
  return {
    shownMs: (last?.nowMs ?? 0) - (first?.nowMs ?? 0),
    clockMs: (last?.atMs ?? 0) - (first?.atMs ?? 0),
    longestFrameMs: Math.max(0, ...steps),
    frames: steps.length,
  };
}

/** A page that stood for this long, such as in the background, goes on where it was. */
const PAUSE_MS = 800;

/** The samples after the last pause of the page. */
export function withoutPauses(samples: readonly ClockSample[]): readonly ClockSample[] {
  const pause = samples.findLastIndex(({ nowMs }, at) => nowMs - (samples[at - 1]?.nowMs ?? nowMs) > PAUSE_MS);
  return samples.slice(Math.max(0, pause));
}
