// What the player holds, it gives back: mounted and taken away in a development build, where StrictMode mounts twice.
import type { Page, Worker } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { focusOn } from '../../support/browser/keyboard.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import type { FakeGateway, FakeViewer } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';
import { builtHarness } from './buildHarness.ts';
import type {} from './harness/main.tsx';
import { newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const folder = builtHarness('harness');
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway({ webRoot: folder() });
  gateway.onViewer = (viewer) => viewer.play(scene.clip().frames, { burst: 20 });
  page = await newPage(scene.browser());
  await page.goto(`${gateway.origin}/index.html`);
});

const mount = (channels: number) => page.evaluate((count) => globalThis.harness?.mount(count), channels);
const unmount = () => page.evaluate(() => globalThis.harness?.unmount());
const canvasCount = () => page.locator('canvas').count();

describe('a page with tiles', () => {
  it('plays under StrictMode, with one stream and one canvas a tile', async () => {
    await mount(3);
    for (const tile of [0, 1, 2]) {
      await waitFor(
        `tile ${tile}`,
        () => readFrameNumber(page, { tile }),
        (frame) => frame !== undefined,
      );
    }
    expect(gateway.openCount).toBe(3);
    // StrictMode has mounted each tile, taken it away and mounted it again; a socket that was given up before its
    // handshake may never have reached the gateway.
    expect(gateway.viewers.length).toBeGreaterThanOrEqual(3);
    expect(await canvasCount()).toBe(3);
  });

  it('gives back sockets, canvases, frames and, closed for good, its workers', async () => {
    const frames = await countFrames(await videoWorker());
    await mount(4);
    await waitForPictures(page, 100);
    await unmount();
    await waitFor('no stream', () => gateway.openCount === 0);
    expect(await canvasCount()).toBe(0);
    await mount(2);
    await waitFor(
      'tiles again',
      () => readFrameNumber(page, { tile: 1 }),
      (frame) => frame !== undefined,
    );
    expect(gateway.openCount).toBe(2);
    await unmount();
    await waitFor('no stream', () => gateway.openCount === 0);
    const { given, closed } = await waitFor('all frames closed', frames, (count) => count.given === count.closed);
    expect(given).toBeGreaterThan(100);
    expect(closed).toBe(given);
    expect(page.workers()).toHaveLength(2);
    await page.evaluate(() => globalThis.harness?.closeEngine());
    await waitFor('no workers', () => page.workers().length === 0);
  });
});

describe('a tile that is used', () => {
  it('gives back every picture once, whatever is done with it', async () => {
    const frames = await countFrames(await videoWorker());
    await page.evaluate(() => globalThis.harness?.mount(1, true));
    await page.locator('.tile-toolbar').waitFor({ state: 'attached' });
    const tile = page.locator('.video-tile');
    await focusOn(tile);
    for (const key of ['+', '+', 's', 'ArrowLeft', '0', 's']) await page.keyboard.press(key);
    const chooseItem = async (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
      await tile.hover();
      await page.locator('[aria-haspopup]').click();
      // Without a gateway's translations the keys themselves stand there, in English.
      await page.getByRole(role, { name }).click();
    };
    await chooseItem('menuitemcheckbox', 'Picture in picture');
    await waitFor('the small window', () => page.evaluate(() => document.pictureInPictureElement !== null));
    await chooseItem('menuitemradio', 'Low quality');
    const isSub = (viewer: FakeViewer) => viewer.query.get('quality') === 'sub' && viewer.isOpen;
    await waitFor('the other stream alone', () => gateway.viewers.some(isSub) && gateway.openCount === 1);
    await waitForPictures(page, 100);
    await unmount();
    await waitFor('no stream', () => gateway.openCount === 0);
    const { given, closed } = await waitFor('all frames closed', frames, (count) => count.given === count.closed);
    expect(given).toBeGreaterThan(100);
    expect(closed).toBe(given);
  });
});

const videoWorker = async (): Promise<Worker> => {
  const find = () => page.workers().find((worker) => worker.url().includes('video.worker'));
  return (await waitFor('the video worker', find)) as Worker;
};

interface FrameCount {
  readonly given: number;
  readonly closed: number;
}

/** Counts, from here on, the frames that decoders of the worker give out and those of them that are closed. */
async function countFrames(worker: Worker): Promise<() => Promise<FrameCount>> {
  await worker.evaluate(() => {
    const open = new WeakSet<VideoFrame>();
    const count = { given: 0, closed: 0 };
    const Native = VideoDecoder;
    const close = VideoFrame.prototype.close;
    VideoFrame.prototype.close = function closeCounted() {
      if (open.delete(this)) count.closed++;
      close.call(this);
    };
    Object.assign(globalThis, {
      frameCount: count,
      VideoDecoder: class extends Native {
        constructor(init: VideoDecoderInit) {
          const output = (frame: VideoFrame) => {
            open.add(frame);
            count.given++;
            init.output(frame);
          };
          super({ ...init, output });
        }
      },
    });
  });
  return () => worker.evaluate(() => (globalThis as unknown as { frameCount: FrameCount }).frameCount);
}
