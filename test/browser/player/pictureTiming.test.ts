// How evenly pictures come, in the built page and its workers. How soon they are there: test/e2e/live/firstLight.test.ts.
import { describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { frameNumbers, newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const FRAME_MS = 40;
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
    const gateway = await startGateway();
    gateway.onViewer = (opened) => opened.play(clip);
    const page = await newPage(scene.browser());
    const idleBefore = await processorTime();
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`, { waitUntil: 'commit' });
    // The page's own start may hold the first ones up, and they are a burst then.
    const shown = (await waitForPictures(page, 110)).slice(25);
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
