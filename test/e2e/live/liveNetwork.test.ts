// What a tile does on a network that does not carry its stream.
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPage, setScene, startGateway, waitForPictures } from '../../browser/player/scene.ts';
import { type FakeViewer, videoPacket } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
const FRAME_MS = 40;

describe('a network that does not carry the main stream', () => {
  /** The main stream by `playMain`; the sub stream as it should be. Gives the page and what was opened. */
  async function open(playMain: (viewer: FakeViewer) => void) {
    const gateway = await startGateway();
    gateway.onViewer = (viewer) => {
      if (viewer.query.get('quality') === 'sub') viewer.play(scene.clip().frames, { burst: 5 });
      else playMain(viewer);
    };
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`);
    const subIsAlone = () =>
      waitFor(
        'the sub stream alone',
        () => gateway.viewers.filter(({ isOpen }) => isOpen).map(({ query }) => query.get('quality')),
        (qualities) => qualities.length === 1 && qualities[0] === 'sub',
        30_000,
      );
    return { page, subIsAlone };
  }

  /** Sends what is due of the frames that `dueMs` gives a moment for; none for `undefined`. */
  function playBadly(viewer: FakeViewer, dueMs: (frame: number) => number | undefined): void {
    const { frames } = scene.clip();
    const startedMs = performance.now();
    let next = 0;
    let isBroken = false;
    const timer = setInterval(() => {
      for (; viewer.isOpen; next++) {
        const due = dueMs(next);
        if (due !== undefined && due > performance.now() - startedMs) return;
        const picture = frames[next % frames.length];
        if (due !== undefined && picture !== undefined) viewer.send(videoPacket(picture, next, isBroken));
        isBroken = due === undefined;
      }
    }, 2);
    onTestFinished(() => clearInterval(timer));
  }

  it('gets the sub stream when the gateway has left two groups out', async () => {
    const { frames } = scene.clip();
    const group = frames.findIndex(({ isKey }, index) => index > 0 && isKey);
    const { page, subIsAlone } = await open((viewer) =>
      playBadly(viewer, (frame) => (Math.floor(frame / group) % 2 === 1 ? undefined : frame * FRAME_MS)),
    );
    await subIsAlone();
    const shown = (await waitForPictures(page, 1)).length;
    await waitForPictures(page, shown + 25);
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
  });

  it('gets the sub stream when pictures come in heaps', async () => {
    const HEAP = 14;
    const { page, subIsAlone } = await open((viewer) =>
      playBadly(viewer, (frame) => (Math.floor(frame / HEAP) + 1) * HEAP * FRAME_MS),
    );
    await subIsAlone();
    const shown = (await waitForPictures(page, 1)).length;
    await waitForPictures(page, shown + 25);
  });
});
