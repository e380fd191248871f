// Local playback over the whole path: recordings on disk, the gateway, the page, pixels read back from its canvases. The picture
// of every moment is known: the number in its strip is that of the clip's loop, which is locked to the epoch.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket as NodeSocket } from 'ws';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { CLIP_WIDTH, FRAME_MS, frameAt, KEY_FRAME_INTERVAL } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';
import { type Clip, loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import type { FromVideoWorker } from '../../../workers/video/messages.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { focusOn, pressOn } from '../../support/browser/keyboard.ts';
import { openRecordedPage } from '../../support/browser/recordedPage.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import {
  RECORDED_DEVICE,
  RECORDED_OWNER,
  type RecordedGateway,
  startRecordedGateway,
} from '../../support/gateway/recordedGateway.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { waitFor } from '../../support/waitFor.ts';

declare global {
  var __workerMessages: FromVideoWorker[] | undefined;
}

const MINUTE = 60_000;
/** The last midnight (UTC) that lies an hour back or more. */
const MIDNIGHT = Math.floor((Date.now() - 60 * MINUTE) / (1_440 * MINUTE)) * 1_440 * MINUTE;
const HALF_HOUR = { fromMs: MIDNIGHT - 25 * MINUTE, toMs: MIDNIGHT + 5 * MINUTE };
const GAP = { fromMs: MIDNIGHT - 3 * MINUTE, toMs: MIDNIGHT - 2 * MINUTE };
/** From here on the fourth channel's pictures are smaller; there its recordings end too. */
const SMALLER_FROM = MIDNIGHT + MINUTE;
const SMALLER_TO = MIDNIGHT + 2 * MINUTE;
const SMALL_FRAMES = 100;
const SMALL_WIDTH = 480;

let recorded: RecordedGateway;
let tap: Tap;
let browser: Browser;
let credential: string;

beforeAll(async () => {
  recorded = await startRecordedGateway();
  ({ credential } = await recorded.link(['playback']));
  const clips = await loadDemoClips();
  const near = (from: number, to: number) => ({ fromMs: MIDNIGHT + from * MINUTE, toMs: MIDNIGHT + to * MINUTE });
  await recorded.record({ channel: 1, clip: clips.road, spans: [HALF_HOUR], withSound: true });
  const holed = [near(-5, -3), near(-2, 2)];
  await recorded.record({ channel: 2, clip: clips.rear, spans: holed });
  await recorded.record({ channel: 3, clip: clips.cabin, spans: [near(-5, 2)] });
  const smaller = { fromMs: SMALLER_FROM, toMs: SMALLER_TO, clip: await smallClip(clips.road) };
  await recorded.record({ channel: 4, clip: clips.road, spans: [near(-5, 1), smaller] });
  tap = await startTap(recorded.gateway.address);
  browser = await sharedChromium();
});

afterAll(async () => {
  await tap?.close();
  await recorded?.close();
});

/** A loop of smaller pictures. */
async function smallClip(like: Clip): Promise<Clip> {
  const tools = findFfmpeg();
  if (tools === undefined) throw new Error('this test needs ffmpeg');
  const size = { width: SMALL_WIDTH, height: 272, frames: SMALL_FRAMES, keyFrameInterval: 50 };
  const pictures = await makeStripClip(tools.ffmpegPath, size);
  const frames = like.frames.map((_, at) => {
    const picture = pictures[at % SMALL_FRAMES];
    if (picture === undefined) throw new Error('the clip is too short');
    return { ...picture, isB: false, shownAt: at };
  });
  return { ...like, keyFrameInterval: 50, frames };
}

const openAt = (atMs: number, mask = 1, initScript = () => {}): Promise<Page> =>
  openRecordedPage(browser, {
    address: tap.address,
    credential,
    atMs,
    mask,
    prepare: (page) => page.addInitScript(initScript),
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const shows = (page: Page, frame: number, tile = 0) =>
  waitFor(
    `frame ${frame} on tile ${tile}`,
    () => readFrameNumber(page, { tile }),
    (shown) => shown === frame,
  );

/** Keeps what the page's workers tell it, in its order. Runs in the page. */
function keepWorkerMessages(): void {
  const told: FromVideoWorker[] = [];
  globalThis.__workerMessages = told;
  globalThis.Worker = class extends Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      this.addEventListener('message', ({ data }: MessageEvent<FromVideoWorker>) => told.push(data));
    }
  };
}

/** What the video worker reported of a stream's pictures after it had told of the stream's first gap. */
function reportsSinceGap(page: Page): Promise<FromVideoWorker[]> {
  return page.evaluate(() => {
    const told = globalThis.__workerMessages ?? [];
    const gapAt = told.findIndex((message) => message.type === 'quiet');
    const gap = told[gapAt];
    if (gap?.type !== 'quiet') throw new Error('no gap was told');
    return told
      .slice(gapAt)
      .filter((message) => message.type === 'progress' && message.streams.some((of) => of.streamId === gap.streamId));
  });
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Date and time' });

async function goTo(page: Page, atMs: number): Promise<void> {
  await field(page).fill(new Date(atMs).toISOString().slice(0, 19).replace('T', ' '));
  await pressOn(field(page), 'Enter');
}

/**
 * A channel's pictures behind the first so many; with -1 its last one. All pictures of a long while, read again and again, would keep
 * the page from playing.
 */
const traced = (page: Page, channel = 1, from = 0): Promise<TracedPicture[]> =>
  page.evaluate(
    ([of, start]) => (globalThis.__fleetglassTrace ?? []).filter((picture) => picture.channel === of).slice(start),
    [channel, from],
  );

describe('the stream of a recording', () => {
  it('S-7.9: says why a wrong credential is refused, then closes', async () => {
    const query = {
      username: RECORDED_OWNER,
      credential: 'wrong1',
      deviceid: RECORDED_DEVICE,
      channel: '1',
      audio: '0',
    };
    const parts = new URLSearchParams({ ...query, streamid: '7', spbtime: String(MIDNIGHT / 1_000) });
    const address = recorded.gateway.address.replace('http', 'ws');
    const socket = new NodeSocket(`${address}/stream/playback/local/video.fuho?${parts}`);
    const messages: Buffer[] = [];
    socket.on('message', (data: Buffer) => messages.push(data));
    expect(await new Promise((resolve) => socket.on('close', resolve))).toBe(1008);
    const [packet] = readMessage(new Uint8Array(messages[0] ?? [])).packets;
    const event = parseStreamEvent(packet?.payload ?? new Uint8Array());
    expect(event).toMatchObject({ type: 'error', code: 'link-refused' });
  });
});

const speedOf = (page: Page) => page.getByRole('combobox', { name: 'Speed' });

async function pause(page: Page): Promise<void> {
  await button(page, 'Pause').click();
  await button(page, 'Play').waitFor();
}

describe('half an hour that was recorded', () => {
  it('S-1.3: shows moments to the frame on a canvas, steps from there, gives a snapshot of the picture that stands, plays on over midnight, and goes on where it was when its connection is lost', async () => {
    const page = await openAt(HALF_HOUR.fromMs);
    await pause(page);
    await expectMoments(page);
    await expectSnapshot(page, HALF_HOUR.fromMs + 754_000);
    await expectMidnight(page);
    await expect.poll(() => page.locator('canvas').count()).toBe(1);
    await expect.poll(() => page.locator('video:visible').count()).toBe(0);
    await expectRecovery(page);
  });

  async function expectMoments(page: Page): Promise<void> {
    for (let count = 0; count < 10; count++) {
      const atMs = HALF_HOUR.fromMs + 1_000 * (1 + Math.floor(Math.random() * 1_790));
      await goTo(page, atMs);
      await shows(page, frameAt(atMs));
      if (count % 5 !== 0) continue;
      for (const [key, frames] of [
        ['.', 1],
        ['.', 2],
        [',', 1],
        [',', 0],
        [',', -1],
      ] as const) {
        await page.keyboard.press(key);
        await shows(page, frameAt(atMs + frames * FRAME_MS));
      }
    }
  }

  /** Named by when it was taken. */
  async function expectSnapshot(page: Page, atMs: number): Promise<void> {
    await goTo(page, atMs);
    await shows(page, frameAt(atMs));
    await focusOn(page.getByRole('region', { name: 'ch 1', exact: true }));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    const time = new Date(atMs).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
    expect(download.suggestedFilename()).toBe(`${RECORDED_DEVICE}_ch1_${time}.png`);
    const { width, data } = PNG.sync.read(await readFile(await download.path()));
    const row = (STRIP_BLOCK_PIXELS / 2) * width;
    const isWhite = (block: number) => (data[(row + (block + 0.5) * STRIP_BLOCK_PIXELS) * 4] ?? 0) > 127;
    const strip = decodeStrip(Array.from({ length: STRIP_BLOCKS }, (_, block) => isWhite(block)));
    expect(strip?.frame).toBe(frameAt(atMs));
  }

  /** The timeline follows to the next day, too. */
  async function expectMidnight(page: Page): Promise<void> {
    const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
    await goTo(page, MIDNIGHT - 2_000);
    await shows(page, frameAt(MIDNIGHT - 2_000));
    await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuetext')).toContain(day(MIDNIGHT - 1));
    const before = (await traced(page)).length;
    await button(page, 'Play').click();
    await waitFor('the next day', async () => (await field(page).inputValue()).startsWith(day(MIDNIGHT)));
    await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuemin')).toBe(String(MIDNIGHT / 1_000));
    const frames = (await traced(page, 1, before)).map(({ mediaTimeUs }) => mediaTimeUs / 1_000 / FRAME_MS);
    expect(frames.slice(1).filter((frame, index) => frame <= (frames[index] ?? 0))).toEqual([]);
  }

  /** Goes on where it was when its connection is lost, at the same speed. */
  async function expectRecovery(page: Page): Promise<void> {
    await speedOf(page).selectOption('2');
    await waitFor('the speed', async () => (await speedOf(page).inputValue()) === '2');
    const fromMs = await newestMs(page);
    await waitFor('pictures there', async () => (await newestMs(page)) > fromMs + 2_000);
    const lastMs = await newestMs(page);
    const before = (await traced(page)).length;
    tap.cutSockets({ path: '/stream/playback/local/video.fuho' });
    const after = await waitFor(
      'pictures after it',
      () => traced(page, 1, before),
      (pictures) => pictures.some(({ mediaTimeUs }) => mediaTimeUs / 1_000 > lastMs + 2_000),
    );
    expect(Math.min(...after.map(({ mediaTimeUs }) => mediaTimeUs / 1_000))).toBeGreaterThan(lastMs - 3_000);
    await expect.poll(() => speedOf(page).inputValue()).toBe('2');
  }

  const newestMs = async (page: Page): Promise<number> => ((await traced(page, 1, -1))[0]?.mediaTimeUs ?? 0) / 1_000;

  it('stops all four channels at the same picture, and shows to the frame what is coded in another order than it is shown in', async () => {
    const page = await openAt(MIDNIGHT - 4 * MINUTE, 15);
    const drawnLast = async (channel: number) => (await traced(page, channel, -1))[0];
    const framesNow = () => Promise.all([0, 1, 2, 3].map((tile) => readFrameNumber(page, { tile })));
    await waitFor('four pictures', framesNow, (frames) => !frames.includes(undefined));
    await page.keyboard.press(' ');
    await button(page, 'Play').waitFor();
    await waitFor(
      'one and the same picture',
      // Beside what the canvases show, what the player says it drew on them: a failure tells which of both is behind.
      async () => ({ shown: await framesNow(), drawn: await Promise.all([1, 2, 3, 4].map(drawnLast)) }),
      ({ shown }) => new Set(shown).size === 1,
    );
    for (const offset of [7, 31, 100]) {
      await goTo(page, MIDNIGHT - 4 * MINUTE + offset * 1_000);
      await shows(page, frameAt(MIDNIGHT + offset * 1_000), 2);
      await page.keyboard.press('.');
      await shows(page, frameAt(MIDNIGHT + offset * 1_000) + 1, 2);
    }
  });

  it('plays at every speed, above four times key frames alone', async () => {
    const page = await openAt(MIDNIGHT - 20 * MINUTE);
    for (const speed of [0.25, 0.5, 1, 2, 4, 8, 16]) {
      await speedOf(page).selectOption(String(speed));
      const before = (await traced(page)).length;
      // Over a while: one picture that a busy machine shows late counts little then.
      const pictures = await waitFor(
        `a while at ${speed}x`,
        () => traced(page, 1, before + (speed > 4 ? 2 : 5)),
        (shown) => spanOf(shown).shownMs > 1_500 && isAtSpeed(shown, speed) && settledOf(shown).length > 3,
      );
      const settled = settledOf(pictures);
      const keys = settled.filter(({ mediaTimeUs }) => (mediaTimeUs / 1_000 / FRAME_MS) % KEY_FRAME_INTERVAL === 0);
      if (speed > 4) expect(keys).toHaveLength(settled.length);
      else expect(keys.length).toBeLessThan(settled.length);
    }
  });

  function spanOf(pictures: readonly TracedPicture[]): { readonly shownMs: number; readonly speed: number } {
    const [first, last] = [pictures[0], pictures.at(-1)];
    const shownMs = (last?.at ?? 0) - (first?.at ?? 0);
    return { shownMs, speed: ((last?.mediaTimeUs ?? 0) - (first?.mediaTimeUs ?? 0)) / 1_000 / shownMs };
  }

  const isAtSpeed = (pictures: readonly TracedPicture[], speed: number) =>
    Math.abs(spanOf(pictures).speed / speed - 1) < 0.15;

  /** What was on its way at the speed before comes first. */
  const settledOf = (pictures: readonly TracedPicture[]) =>
    pictures.filter(({ at }) => at - (pictures[0]?.at ?? 0) > 700);

  it('S-4.11: says where a channel has a gap, and goes on behind it by itself', async () => {
    const page = await openAt(GAP.fromMs - 2_000, 3, keepWorkerMessages);
    const gap = page.getByText(`No recording until ${new Date(GAP.toMs).toISOString().slice(0, 10)}`);
    await gap.waitFor();
    await expect.poll(() => page.getByText(/No recording/).count()).toBe(1);
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
    const before = (await traced(page)).length;
    await waitFor('the other channel', async () => (await traced(page, 1, before + 25)).length > 0);
    // A page that is held up takes reports late: none of a picture before the gap may come behind word of the gap.
    expect(await reportsSinceGap(page)).toEqual([]);
    await goTo(page, GAP.toMs - 2_000);
    await gap.waitFor();
    await gap.waitFor({ state: 'detached' });
    await waitFor('pictures behind the gap', async () =>
      (await traced(page, 2)).some(({ mediaTimeUs }) => mediaTimeUs / 1_000 >= GAP.toMs),
    );
    const inGap = (await traced(page, 2)).filter(
      ({ mediaTimeUs }) => mediaTimeUs / 1_000 >= GAP.fromMs && mediaTimeUs / 1_000 < GAP.toMs,
    );
    expect(inGap).toEqual([]);
  });

  it('follows a change of resolution, tells of the end, and plays again from before it', async () => {
    const page = await openAt(SMALLER_FROM - 2_000, 8);
    const width = () => page.evaluate(() => document.querySelector('canvas')?.width);
    await waitFor('the large picture', async () => (await width()) === CLIP_WIDTH);
    await waitFor('the small picture', async () => (await width()) === SMALL_WIDTH);
    const shown = await readFrameNumber(page, { pictureWidth: SMALL_WIDTH });
    expect(shown).toBeLessThan(SMALL_FRAMES);
    await goTo(page, SMALLER_TO - 2_000);
    await page.getByText('The video has ended.').waitFor();
    await goTo(page, SMALLER_FROM - 10_000);
    await page.getByText('The video has ended.').waitFor({ state: 'detached' });
    await waitFor('the large picture again', async () => (await width()) === CLIP_WIDTH);
  });
});
