// Streams whose groups begin with pictures that are not IDR pictures, in the built page.
import { describe, expect, it } from 'vitest';
import { H264Normaliser } from '../../../server/media/h264/normaliser.ts';
import type { ClipPicture } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { frameNumbers, newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const ffmpeg = findFfmpeg();
const FRAMES = 300;
const INTERVAL = 27;

/** The pictures as the gateway relays them. */
async function relayedPictures(): Promise<ClipPicture[]> {
  const size = { width: 480, height: 272, frames: FRAMES, keyFrameInterval: INTERVAL };
  const encoder = 'cabac=1:ref=3';
  const clip = await makeStripClip(ffmpeg?.ffmpegPath ?? '', { ...size, bPictures: 2, hasOpenGroups: true, encoder });
  const normaliser = new H264Normaliser();
  return clip.flatMap(({ bytes, shownAt = 0 }) => {
    const unit = normaliser.push(bytes);
    return unit === undefined
      ? []
      : [{ bytes: Buffer.concat(unit.parts), isKey: unit.isKey, dependence: unit.dependence, shownAt }];
  });
}

describe.skipIf(ffmpeg === undefined)('groups that begin with no IDR picture', () => {
  it('are shown to who comes late, from such a picture on, and across the next ones without a hole', async () => {
    const pictures = await relayedPictures();
    const entryAt = pictures.findIndex(({ dependence }) => dependence === 'entry');
    const late = pictures.slice(entryAt);
    const gateway = await startGateway();
    gateway.onViewer = (opened) => opened.play(late);
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`, { waitUntil: 'commit' });
    const frames = frameNumbers(await waitForPictures(page, 4 * INTERVAL));
    expect(frames[0]).toBeGreaterThanOrEqual(INTERVAL);
    // The page's own start may hold the first pictures up, which then come in a burst.
    const later = frames.slice(INTERVAL);
    expect(later).toEqual(later.map((_, index) => (later[0] ?? 0) + index));
  });
});
