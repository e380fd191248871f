// What stands over a tile's picture, and that it has the room: the notice of a codec, the prompt for sound.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeALaw } from '../../../server/device/audio/g711.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { type Clip, loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { newPage, setScene, startGateway } from '../../browser/player/scene.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { audioPacket, type FakeGateway, type FakeViewer } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene([
  // Also where the machine has a decoder for H.265.
  '--disable-features=PlatformHEVCDecoderSupport',
  // No sound before a gesture.
  '--autoplay-policy=document-user-activation-required',
]);
let gateway: FakeGateway;
let hevc: Clip;

beforeAll(async () => {
  hevc = await loadDemoClip('side');
});

beforeEach(async () => {
  gateway = await startGateway({ device: { chn: 8, installchs: '', livechs: '' } });
});

function sendHevc(viewer: FakeViewer): void {
  const header = { kind: PacketKind.Video, codec: Codec.H265, key: true, discontinuity: false };
  const bytes = hevc.frames[0]?.bytes ?? new Uint8Array();
  viewer.send(encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(Date.now()) }, bytes));
}

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('not shown');
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
};
type Box = Awaited<ReturnType<typeof boxOf>>;
const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

describe('a codec that the browser cannot decode', () => {
  it('is named with what would help, whole within each of eight tiles, in every language and size of the window', async () => {
    gateway.onViewer = sendHevc;
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    const notices = page.getByRole('alert');
    await waitFor('eight notices', async () => (await notices.count()) === 8);
    const seen = new Set<string>();
    for (const [locale, width, height] of [
      ['en', 1280, 720],
      ['zh-TW', 1280, 720],
      ['jp', 1280, 720],
      ['jp', 390, 844],
      ['en', 390, 844],
      ['en', 844, 390],
    ] as const) {
      const where = `${locale}, ${width} x ${height}`;
      await page.setViewportSize({ width, height });
      await switchLanguage(page, locale);
      const texts = await waitFor(
        `eight notices in the language of the page: ${where}`,
        () => notices.allTextContents(),
        (all) => all.length === 8 && all.every((text) => /H\.265.*H\.264/s.test(text) && text === all[0]),
      );
      seen.add(texts[0] ?? '');
      // On an upright phone a tile of eight has room for the name alone.
      const isHelpShown = () => notices.first().locator('.video-tile-help').isVisible();
      await waitFor(`the help: ${where}`, isHelpShown, (isShown) => isShown === width > height);
      // A window that has a new size lays its tiles out a moment later.
      await waitFor(
        `notices within their tiles: ${where}`,
        () => misplacedNotices(page),
        (misplaced) => misplaced.length === 0,
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
    expect(seen.size).toBe(3);
  });

  /** The tiles whose notice is not whole, or lies over their label. */
  function misplacedNotices(page: Page): Promise<number[]> {
    return page.evaluate(() => {
      const boxesOf = (selector: string) =>
        [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
      const [notices, tiles, labels] = [boxesOf('[role=alert]'), boxesOf('section'), boxesOf('.video-tile-label')];
      return [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => {
        const [notice, tile, label] = [notices[at], tiles[at], labels[at]];
        if (notice === undefined || tile === undefined || label === undefined) return true;
        const isWhole = notice.left >= tile.left && notice.right <= tile.right && notice.top >= tile.top;
        const isApart =
          notice.left >= label.right ||
          label.left >= notice.right ||
          notice.top >= label.bottom ||
          label.top >= notice.bottom;
        return !isWhole || !isApart;
      });
    });
  }

  it('gives way to the sub stream, when that can be decoded', async () => {
    gateway.onViewer = (viewer) => {
      if (viewer.query.get('quality') === 'sub') viewer.play(scene.clip().frames, { burst: 5 });
      else sendHevc(viewer);
    };
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1@1/ann/secret1`);
    await waitFor(
      'a picture',
      () => readFrameNumber(page),
      (frame) => frame !== undefined,
    );
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await waitFor(
      'the end of the main stream',
      () => gateway.viewers.map(({ isOpen }) => isOpen),
      (open) => open.join() === 'false,true',
    );
    expect(gateway.viewers.map(({ query }) => query.get('quality'))).toEqual([null, 'sub']);
  });
});

describe('the prompt for sound', () => {
  const CHUNK_MS = 40;

  /** The first channel plays, with sound; the others have a tile each. */
  async function openSilent(width: number, height: number, mask: number, isTouch: boolean): Promise<Page> {
    gateway.onViewer = (viewer) => {
      if (viewer.channel !== 1) return;
      viewer.play(scene.clip().frames, { burst: 5 });
      playTone(viewer);
    };
    const page = await newPage(scene.browser(), { viewport: { width, height }, hasTouch: isTouch, isMobile: isTouch });
    await page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1`);
    // Until the sound is set up nothing may look into the page: what a test evaluates there counts as a gesture.
    await waitFor('the sound’s parts', () => gateway.requests.some((path) => path.includes('audio.worklet')));
    await page.getByRole('button', { name: 'Tap for sound' }).waitFor();
    return page;
  }

  function playTone(viewer: FakeViewer): void {
    const chunk = Uint8Array.from({ length: 8 * CHUNK_MS }, (_, at) => encodeALaw(at % 8 < 4 ? 3_000 : -3_000));
    let next = 0;
    const timer = setInterval(() => {
      viewer.send(audioPacket(Codec.G711A, chunk, next++ * CHUNK_MS * 1_000));
    }, CHUNK_MS);
    viewer.socket.on('close', () => clearInterval(timer));
  }

  it.each([
    ['a tile of 210 pixels', 840, 390, 255, false],
    ['a tile of eight on an upright phone', 390, 844, 255, true],
  ] as const)('stands clear of everything else on %s', async (_where, width, height, mask, isTouch) => {
    const page = await openSilent(width, height, mask, isTouch);
    const tile = page.getByRole('region', { name: 'ch 1', exact: true });
    const box = await boxOf(tile);
    await page.locator('.tile-toolbar').first().waitFor({ state: 'attached' });
    if (!isTouch) {
      // A wheel is no gesture to the browser: the mark of the zoom comes, and the prompt stays.
      await page.mouse.move(box.left + 20, box.top + 60);
      await page.mouse.wheel(0, -203);
      await tile.getByRole('button', { name: 'Reset zoom' }).waitFor();
    }
    const prompt = await boxOf(tile.getByRole('button', { name: 'Tap for sound' }));
    expect([prompt.left >= box.left, prompt.right <= box.right, prompt.top - box.top < 10]).toEqual([true, true, true]);
    // A tool row that a finger has not called is not there.
    for (const other of await tile.locator('.tile-toolbar[data-shown=true], .video-tile-label, .tile-zoom').all()) {
      expect(overlap(prompt, await boxOf(other)), (await other.getAttribute('class')) ?? '').toBe(false);
    }
    await expect.poll(() => tile.locator('.tile-toolbar[data-shown=true]').count()).toBe(isTouch ? 0 : 1);
    await tile.getByRole('button', { name: 'Tap for sound' }).click();
    await tile.getByRole('button', { name: 'Tap for sound' }).waitFor({ state: 'detached' });
  });
});
