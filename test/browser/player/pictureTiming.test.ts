// How soon pictures are there, and how evenly they come: in the built page and its workers.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstPictureMs, noteFirstPicture } from '../../support/browser/stripReader.ts';
import type { FakeGateway } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';
import { frameNumbers, newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
/** A machine that stops for a moment may spoil one of them, not all. */
const OPENINGS = 3;
const FRAME_MS = 40;
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway();
  page = await newPage(scene.browser());
});

const open = () => page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`, { waitUntil: 'commit' });

describe('pictures', () => {
  it('are there within a second of the navigation', async () => {
    gateway.onViewer = (opened) => opened.play(scene.clip().frames, { burst: 40 });
    await noteFirstPicture(page);
    const before = await processorTime();
    const shownAfterMs: number[] = [];
    for (let opening = 0; opening < OPENINGS; opening++) {
      await open();
      shownAfterMs.push((await waitFor('the first picture', () => firstPictureMs(page))) ?? 0);
    }
    const limitMs = (await isSpentSince(before)) ? 3_000 : 1_000;
    expect(Math.min(...shownAfterMs), `after ${shownAfterMs} ms`).toBeLessThan(limitMs);
  });
});

const ffmpeg = findFfmpeg();

describe.skipIf(ffmpeg === undefined)('B pictures', () => {
  it('are all seen, one as long as the other', async () => {
    const clip = await makeStripClip(ffmpeg?.ffmpegPath ?? '', {
      width: 480,
      height: 272,
      frames: 100,
      keyFrameInterval: 50,
      bPictures: 2,
    });
    gateway.onViewer = (opened) => opened.play(clip);
    const idleBefore = await processorTime();
    await open();
    // The page's own start may hold the first ones up, and they are a burst then.
    const shown = (await waitForPictures(page, 150)).slice(25);
    const frames = frameNumbers(shown);
    expect(frames).toEqual(frames.map((_, index) => (frames[0] ?? 0) + index));
    if (await isSpentSince(idleBefore)) return;
    const steps = shown.slice(1).map(({ at }, index) => at - (shown[index]?.at ?? 0));
    // Where they came in bursts, hardly any step was near to that of the camera.
    const isEven = (step: number) => Math.abs(step - FRAME_MS) <= FRAME_MS / 2;
    expect(steps.filter(isEven).length, `steps of ${steps.map(Math.round)}`).toBeGreaterThan(steps.length / 2);
    const unseen = shown.filter(
      ({ committedAt, isSkipped }, index) =>
        isSkipped === true || (committedAt !== undefined && committedAt === shown[index + 1]?.committedAt),
    );
    expect(unseen.length).toBeLessThan(shown.length / 8);
  });
});
