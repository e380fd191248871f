// From packets to pixels, in the built page and its workers.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstFrameNumbers, readFrameNumber } from '../../support/browser/stripReader.ts';
import { eventPacket, type FakeGateway, type FakeViewer, videoPacket } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { spoilt } from '../../support/media/spoilt.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';
import { frameNumbers, newPage, setScene, shownPictures, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway();
  page = await newPage(scene.browser());
});

const open = () => page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`, { waitUntil: 'commit' });
const isNumber = (frame: number | undefined) => frame !== undefined;
const aPicture = () => waitFor('a picture', () => readFrameNumber(page), isNumber);
const viewer = (index = 0): Promise<FakeViewer> =>
  waitFor(`stream ${index}`, () => gateway.viewers[index]).then((found) => found as FakeViewer);

/** The loop is longer: none comes twice. */
const SEEN_PICTURES = 21;

describe('pictures', () => {
  it('are all shown, each once and in order', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames);
    await open();
    const frames = frameNumbers(await waitForPictures(page, 100));
    expect(frames).toEqual(frames.map((_, index) => (frames[0] ?? 0) + index));
  });

  it('are the ones that were sent, read back from the canvas', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames);
    await open();
    await aPicture();
    const seen = await firstFrameNumbers(page, SEEN_PICTURES);
    expect(seen).toHaveLength(SEEN_PICTURES);
    expect(seen).toEqual([...new Set(seen)].sort((left, right) => left - right));
    const traced = new Set(frameNumbers(await waitForPictures(page, (seen.at(-1) ?? 0) + 1)));
    expect(seen.filter((frame) => !traced.has(frame))).toEqual([]);
  });

  it('of a burst are decoded, and only the newest is shown', async () => {
    // One message, as a gateway sends what waits: between two, a busy machine may pause for longer than a burst does.
    gateway.onViewer = (opened) => opened.send(Buffer.concat(packetsOf(0, 48)));
    await open();
    expect(frameNumbers(await waitForPictures(page, 1))).toEqual([48]);
    expect(
      await waitFor(
        'picture 48 on the canvas',
        () => readFrameNumber(page),
        (frame) => frame === 48,
      ),
    ).toBe(48);
  });

  it('come out of a message of several packets, events between them', async () => {
    const [first, second, third] = scene.clip().frames;
    if (first === undefined || second === undefined || third === undefined) throw new Error('the clip is too short');
    gateway.onViewer = (opened) => {
      const parts = [videoPacket(first, 0), eventPacket({ type: 'gap', untilMs: null }), videoPacket(second, 1)];
      opened.send(Buffer.concat([...parts, videoPacket(third, 2)]));
    };
    await open();
    expect(frameNumbers(await waitForPictures(page, 1))).toEqual([2]);
  });

  it('come back after a key frame that cannot be decoded, on a new canvas', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames);
    await open();
    await aPicture();
    await page.evaluate(() => {
      Object.assign(document.querySelector('canvas') ?? {}, { isOld: true });
      Object.assign(window, { isSamePage: true });
    });
    const stream = await viewer();
    stream.stop();
    const shownBefore = (await shownPictures(page)).length;
    stream.send(videoPacket({ bytes: spoilt(scene.clip().frames[0]?.bytes), isKey: true }, 5_000));
    stream.play(scene.clip().frames, { startFrame: 5_050 });
    await within(4_000, () => waitForPictures(page, shownBefore + 30));
    const after = await page.evaluate(() => ({
      isOld: 'isOld' in (document.querySelector('canvas') ?? {}),
      canvases: document.querySelectorAll('canvas').length,
      isSamePage: 'isSamePage' in window,
    }));
    expect(after).toEqual({ isOld: false, canvases: 1, isSamePage: true });
    const moved = await aPicture();
    await waitFor(
      'a picture that moves',
      () => readFrameNumber(page),
      (frame) => frame !== moved,
    );
  });

  it('go on in the middle of a group when the device sets its clock back by an hour', async () => {
    const [setAt, nextKey, hour] = [4, 50, 90_000];
    gateway.onViewer = (opened) => sendFrames(opened, 0, setAt - 1);
    await open();
    await waitForPictures(page, 1);
    (await viewer()).play(scene.clip().frames, { startFrame: setAt, setByFrames: -hour });
    const frames = await waitFor(
      'the next group',
      async () => frameNumbers(await shownPictures(page)).map((frame) => (frame < 0 ? frame + hour : frame)),
      (shown) => shown.some((frame) => frame >= nextKey),
    );
    expect(frames).toEqual([...frames].sort((left, right) => left - right));
    // A machine that stops for a moment may leave some out, not the rest of the group.
    const before = frames.filter((frame) => frame >= setAt && frame < nextKey);
    expect(before.length).toBeGreaterThan((nextKey - setAt) / 2);
  });

  it('come back by themselves when the stream is cut', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames, { burst: 10 });
    await open();
    await aPicture();
    (await viewer()).cut();
    await viewer(1);
    const shownBefore = (await shownPictures(page)).length;
    await waitForPictures(page, shownBefore + 10);
  });

  it('stay when a packet is damaged', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames);
    await open();
    await aPicture();
    const stream = await viewer();
    stream.send(Uint8Array.of(1, 1, 1, 0, 255, 255, 255, 255, ...new Array<number>(16).fill(0)));
    stream.send(Uint8Array.of(1));
    const shownBefore = (await shownPictures(page)).length;
    await waitForPictures(page, shownBefore + 20);
    expect(gateway.viewers).toHaveLength(1);
  });

  it('that the server refuses are explained on the tile', async () => {
    gateway.onViewer = (opened) => {
      opened.send(eventPacket({ type: 'error', code: 'unheard-of', message: 'camera is being repaired' }));
      opened.socket.close(1008);
    };
    await open();
    await waitFor(
      'the notice',
      () => page.getByRole('alert').textContent(),
      (text) => text === 'camera is being repaired',
    );
  });
});

const ffmpeg = findFfmpeg();

describe.skipIf(ffmpeg === undefined)('a change of the picture size', () => {
  it('is followed in the running stream, without a new canvas or connection', async () => {
    const wide = await makeStripClip(ffmpeg?.ffmpegPath ?? '', {
      width: 480,
      height: 272,
      frames: 50,
      keyFrameInterval: 25,
    });
    gateway.onViewer = (opened) => opened.play(scene.clip().frames);
    await open();
    await aPicture();
    await page.evaluate(() => Object.assign(document.querySelector('canvas') ?? {}, { isOld: true }));
    const stream = await viewer();
    const shape = { pictureWidth: 480 };
    stream.play(wide, { startFrame: 5_000 });
    await waitFor(
      'the new size',
      () => page.evaluate(() => document.querySelector('canvas')?.width),
      (width) => width === 480,
    );
    const first = await waitFor('a small picture', () => readFrameNumber(page, shape), isNumber);
    await waitFor(
      'another one',
      () => readFrameNumber(page, shape),
      (frame) => frame !== undefined && frame !== first,
    );
    expect(await page.evaluate(() => 'isOld' in (document.querySelector('canvas') ?? {}))).toBe(true);
    expect(gateway.viewers).toHaveLength(1);
    stream.play(scene.clip().frames, { startFrame: 10_000 });
    await waitFor(
      'the old size',
      () => page.evaluate(() => document.querySelector('canvas')?.width),
      (width) => width === 640,
    );
  });
});

/** Frames of the clip, all at once. */
function sendFrames(to: FakeViewer, first: number, last: number): void {
  for (const packet of packetsOf(first, last)) to.send(packet);
}

function packetsOf(first: number, last: number): Uint8Array[] {
  const frames = scene.clip().frames.slice(first, last + 1);
  return frames.map((picture, index) => videoPacket(picture, first + index));
}
