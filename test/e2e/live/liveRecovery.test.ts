// What happens to a page and its machine: off the network, decoders taken away, streams that close. Every case ends in
// pictures that move, soon and without a reload.
import type { Page, Worker } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  frameNumbers,
  newPage,
  setScene,
  shownPictures,
  startGateway,
  waitForPictures,
} from '../../browser/player/scene.ts';
import { hostMessages, startHostPage } from '../../support/browser/hostPage.ts';
import { noteStalls, stalledMs } from '../../support/browser/stalls.ts';
import { type FakeGateway, type FakeViewer, videoPacket } from '../../support/fakes/fakeStream.ts';
import { isSpentSince, processorTime, within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway();
  page = await newPage(scene.browser());
});

const open = () => page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`);
const stream = async (index = 0): Promise<FakeViewer> =>
  (await waitFor(`stream ${index}`, () => gateway.viewers[index])) as FakeViewer;
const morePictures = async (count: number) => {
  const before = (await shownPictures(page)).length;
  return (await waitForPictures(page, before + count)).slice(before);
};
const videoWorker = async (): Promise<Worker> =>
  (await waitFor('the video worker', () => page.workers().find((each) => each.url().includes('video')))) as Worker;

/** Keeps the decoders that are made from here on, for a test to break them. Call before a stream is played. */
async function keepDecoders(): Promise<(act: 'reclaim' | 'mute') => Promise<void>> {
  const worker = await videoWorker();
  await worker.evaluate(() => {
    const kept: { decoder: VideoDecoder; error: (error: DOMException) => void; mute: () => void }[] = [];
    const Native = VideoDecoder;
    Object.assign(globalThis, {
      kept,
      VideoDecoder: class extends Native {
        constructor(init: VideoDecoderInit) {
          let isMute = false;
          super({ ...init, output: (frame) => (isMute ? frame.close() : init.output(frame)) });
          const mute = () => {
            isMute = true;
          };
          kept.push({ decoder: this, error: init.error, mute });
        }
      },
    });
  });
  return (act) =>
    worker.evaluate((what) => {
      const { kept } = globalThis as unknown as {
        kept: { decoder: VideoDecoder; error: (error: DOMException) => void; mute: () => void }[];
      };
      const newest = kept.at(-1);
      if (what === 'mute') newest?.mute();
      if (what !== 'reclaim') return;
      newest?.decoder.close();
      newest?.error(new DOMException('the codec was reclaimed', 'QuotaExceededError'));
    }, act);
}

describe('a network that was away', () => {
  it('is noticed though the old socket says nothing: pictures within three seconds', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames, { burst: 5 });
    await open();
    await morePictures(50);
    (await stream()).stop();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await stream(1);
    await within(3_000, () => morePictures(10));
  });
});

describe('a decoder that is lost', () => {
  it('to the browser, which took it away, is replaced in the middle of its group', async () => {
    await open();
    const breakDecoder = await keepDecoders();
    const { frames } = scene.clip();
    const viewer = await stream();
    const sendUpTo = async (first: number, last: number) => {
      for (const [index, picture] of frames.slice(first, last + 1).entries()) {
        expect(picture.isKey).toBe(first + index === 0);
        viewer.send(videoPacket(picture, first + index));
      }
      return frameNumbers(
        await waitFor(
          `picture ${last}`,
          () => shownPictures(page),
          (all) => frameNumbers(all).at(-1) === last,
        ),
      );
    };
    await sendUpTo(0, 10);
    await breakDecoder('reclaim');
    const shown = await sendUpTo(11, 20);
    // Nothing that had been seen is seen again.
    expect(shown).toEqual([...shown].sort((left, right) => left - right));
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('to silence is replaced before the next key frame', async () => {
    await open();
    const breakDecoder = await keepDecoders();
    (await stream()).play(scene.clip().frames);
    await morePictures(10);
    await breakDecoder('mute');
    await within(4_000, () => morePictures(10));
    expect(gateway.viewers).toHaveLength(1);
  });
});

describe('a stream that closes', () => {
  it('S-4.14: is told to the page that frames it, once, and comes back', async () => {
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    const address = `${gateway.origin}/live/DEV1@1/ann/secret1`;
    const host = await newPage(scene.browser());
    await noteStalls(host);
    await host.goto(await startHostPage(`<iframe width=640 height=360 src="${address}"></iframe>`));
    const first = await stream();
    await waitFor(
      'pictures',
      () => host.frames()[1]?.locator('canvas').count(),
      (count) => count === 1,
    );
    expect(await hostMessages(host)).toEqual([]);
    const before = await processorTime();
    const cutMs = Date.now();
    first.cut();
    await stream(1);
    const isSpent = await isSpentSince(before);
    const [message, ...others] = await hostMessages(host);
    expect(others).toEqual([]);
    expect(message?.origin).toBe(gateway.origin);
    // Nothing else in it: no user name, no credential.
    expect(message?.data).toEqual({ type: 'fleetglass:stream-closed', version: 1, deviceid: 'DEV1', channel: 1 });
    const toldAfterMs = (message?.atMs ?? 0) - cutMs - (await stalledMs(host, cutMs));
    expect(toldAfterMs).toBeLessThan(isSpent ? 3_000 : 1_000);
  });
});
