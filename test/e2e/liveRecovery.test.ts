// What happens to a page and its machine: out of sight, off the network, decoders taken away. Every case ends in pictures
// that move, without a reload.
import type { Page, Worker } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  frameNumbers,
  newPage,
  setScene,
  shownPictures,
  startGateway,
  waitForPictures,
} from '../browser/player/scene.ts';
import { type FakeGateway, type FakeViewer, videoPacket } from '../support/fakeStream.ts';
import { hostMessages, startHostPage } from '../support/hostPage.ts';
import { isSpentSince, processorTime, within } from '../support/processorTime.ts';
import { noteStalls, stalledMs } from '../support/stalls.ts';
import { waitFor } from '../support/waitFor.ts';

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
const setHidden = (isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
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

describe('a page out of sight', () => {
  it('asks for sound alone, and shows moving pictures again from the next key frame on', async () => {
    const said: string[] = [];
    gateway.onViewer = (viewer) => {
      viewer.socket.on('message', (data) => said.push(String(data)));
      viewer.play(scene.clip().frames);
    };
    await open();
    await morePictures(10);
    await setHidden(true);
    await waitFor('the request', () => said.includes('{"type":"video","on":false}'));
    (await stream()).stop();
    await setHidden(false);
    await waitFor('the request', () => said.includes('{"type":"video","on":true}'));
    // What comes first is the middle of a group: it must not be decoded, whatever the server sends.
    const { frames } = scene.clip();
    const key = frames.findIndex((picture, index) => index > 10 && picture.isKey);
    const before = (await shownPictures(page)).length;
    for (let frame = key - 5; frame < key + 20; frame++) {
      const picture = frames[frame];
      if (picture !== undefined) (await stream()).send(videoPacket(picture, frame));
    }
    (await stream()).play(frames, { startFrame: key + frames.length });
    const shown = frameNumbers(await waitForPictures(page, before + 10));
    expect(shown.filter((frame) => frame >= key - 5 && frame < key)).toEqual([]);
    expect(gateway.viewers).toHaveLength(1);
  });
});

describe('a page in a frame that is scrolled away', () => {
  it('asks for sound alone, and shows moving pictures again when it is scrolled back', async () => {
    const said: string[] = [];
    gateway.onViewer = (viewer) => {
      viewer.socket.on('message', (data) => said.push(String(data)));
      viewer.play(scene.clip().frames, { burst: 5 });
    };
    const address = `${gateway.origin}/live/DEV1@1/ann/secret1?trace=1`;
    const frame = `<iframe name=video width=640 height=360 src="${address}"></iframe>`;
    await page.goto(await startHostPage(`${frame}<div style="height: 5000px"></div>`));
    const pictures = () =>
      page.frame({ name: 'video' })?.evaluate(() => globalThis.__fleetglassTrace?.length ?? 0) ?? Promise.resolve(0);
    await waitFor('pictures', pictures, (count) => count > 5);
    await page.evaluate(() => window.scrollTo(0, 4_000));
    await waitFor('the request', () => said.at(-1) === '{"type":"video","on":false}');
    await page.evaluate(() => window.scrollTo(0, 0));
    await waitFor('the request', () => said.at(-1) === '{"type":"video","on":true}');
    const before = await pictures();
    await waitFor('more pictures', pictures, (count) => count > before + 10);
    expect(gateway.viewers).toHaveLength(1);
  });
});

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
