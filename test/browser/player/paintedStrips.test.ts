// A picture painted in strips looks as if it had been painted whole.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import type * as painterModule from '../../../workers/video/paint/canvasPainter.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { newPage, setScene, startGateway } from './scene.ts';

const scene = setScene();
declare global {
  var painter: typeof painterModule | undefined;
}

const PAGE = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./show.js"></script>';
const SCRIPT = "import * as painter from './painter.js'; globalThis.painter = painter;";
const PAINTS_TO_STRIPS = 25;
/** Half a step of rounding in each of two scalings. */
const MOST_DIFFERENCE = 2;
let folder: Awaited<ReturnType<typeof createTempFolder>>;

beforeAll(async () => {
  folder = await createTempFolder();
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder.path,
      emptyOutDir: true,
      lib: {
        entry: join(import.meta.dirname, '../../../workers/video/paint/canvasPainter.ts'),
        formats: ['es'],
        fileName: () => 'painter.js',
      },
    },
  });
  await writeFile(join(folder.path, 'index.html'), PAGE);
  await writeFile(join(folder.path, 'show.js'), SCRIPT);
  return () => folder.remove();
});

it.each([
  { picture: [704, 576], cut: 0, box: [464, 380] },
  { picture: [704, 576], cut: 0, box: [700, 571] },
  { picture: [1280, 720], cut: 0, box: [1013, 569] },
  { picture: [1920, 1088], cut: 8, box: [1000, 562] },
])('of $picture less $cut rows at $box', async ({ picture, cut, box }) => {
  const gateway = await startGateway({ webRoot: folder.path });
  const page = await newPage(scene.browser());
  await page.goto(`${gateway.origin}/index.html`);
  const { worst, strips } = await compare(page, { picture, cut, box });
  expect(strips).toBeGreaterThan(2);
  expect(worst).toBeLessThanOrEqual(MOST_DIFFERENCE);
});

interface Case {
  readonly picture: readonly number[];
  readonly cut: number;
  readonly box: readonly number[];
}

/** The largest difference of any pixel between a picture painted whole and the same in strips, and how many strips those were. */
function compare(page: Page, sizes: Case): Promise<{ readonly worst: number; readonly strips: number }> {
  return page.evaluate(
    ({ picture: [width = 0, height = 0], cut, box: [boxWidth = 0, boxHeight = 0], paints }) => {
      const { CanvasPainter } = globalThis.painter ?? {};
      if (CanvasPainter === undefined) throw new Error('the module has not been loaded');
      // Waves down to some twelve rows: a row that is off by a fraction shows.
      const data = new Uint8Array((width * height * 3) / 2).fill(128);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) data[y * width + x] = 128 + 100 * Math.sin((y * y) / (4 * height) + x / 30);
      }
      let strips = 0;
      const Plain = VideoFrame;
      globalThis.VideoFrame = new Proxy(Plain, {
        construct: (target, given: ConstructorParameters<typeof Plain>) => {
          strips++;
          return Reflect.construct(target, given);
        },
      });
      const visibleRect = { x: 0, y: 0, width, height: height - cut };
      const shape = { format: 'I420', codedWidth: width, codedHeight: height, timestamp: 0, visibleRect } as const;
      const frame = new Plain(data, shape);
      const canvas = new OffscreenCanvas(1, 1);
      // Each painting takes ten milliseconds by this clock: too slow to go on with whole pictures.
      let nowMs = 0;
      const fail = (fault: unknown): never => {
        throw new Error(JSON.stringify(fault));
      };
      const size = { width: boxWidth, height: boxHeight };
      const painter = new CanvasPainter(canvas, size, { onFault: fail, now: () => (nowMs += 10) });
      const pixels = () =>
        canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
      for (let paint = 0; paint < paints; paint++) painter.paint(frame);
      if (strips > 0) throw new Error('painted in strips from the beginning');
      const whole = pixels();
      painter.paint(frame);
      const inStrips = pixels();
      frame.close();
      return {
        worst: whole.reduce((most, value, at) => Math.max(most, Math.abs(value - (inStrips[at] ?? 0))), 0),
        strips,
      };
    },
    { ...sizes, paints: PAINTS_TO_STRIPS },
  );
}
