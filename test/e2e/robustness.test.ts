// Eight channels for a while, and lines that damage what they carry: terminals over TCP, the built gateway and page.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CLIP_WIDTH, FRAME_MS, KEY_FRAME_INTERVAL, LOOP_FRAMES } from '../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../simulator/clip/loadClip.ts';
import type { TerminalQuirks } from '../../simulator/quirks.ts';
import { SimulatedTerminal } from '../../simulator/terminal.ts';
import { consoleGuard, sharedChromium } from '../support/browser/chromium.ts';
import { readStripSamples, type StripSample, startStripSamples } from '../support/browser/stripSampler.ts';
import { EIGHT_CHANNELS, sharedWatchedProduct, type WatchedProduct } from '../support/gateway/watchedProduct.ts';
import { IS_LONG } from '../support/runner/long.ts';
import { isSpentSince, processorTime } from '../support/runner/processorTime.ts';
import { waitFor } from '../support/waitFor.ts';

/** One packet in so many, so that damage meets key frames and others: four seconds, two groups of pictures, lie between. */
const EVERY_PACKET = 131;
const damage = { 1: 'flipped', 2: 'lost', 3: 'reordered', 4: 'truncated' } as const;
const SPOILT_HABITS: TerminalQuirks = {
  // Every other packet would be sound, and for some seconds the damage might meet no picture.
  audio: 'none',
  damage: Object.fromEntries(
    Object.entries(damage).map(([channel, kind]) => [channel, { kind, everyPacket: EVERY_PACKET }]),
  ),
};

const WATCHED_MS = IS_LONG ? 60_000 : 6_000;
const DAMAGED_MS = IS_LONG ? 30_000 : 8_000;
/** Eight decoders that start at once are busy with themselves. */
const SETTLING_MS = 3_000;
/** Without a GPU one thread draws all pictures: what comes too late for a slow one is left out, and all are decoded, in order. */
const MOST_LEFT_OUT = 0.5;
/** A viewer begins with a group of pictures of up to ten seconds ago, and then goes to the present at once. */
const PRESENT_MS = 1_000;
/** A group of pictures and two seconds. */
const mostStillMs = (keyFrameInterval: number): number => keyFrameInterval * FRAME_MS + 2_000;

/** A picture that the player has decoded; `isSkipped` when a machine that was behind left it out. */
interface Traced {
  readonly channel: number;
  readonly deviceTimeMs: number;
  readonly at: number;
  readonly isSkipped?: boolean;
}

describe('eight channels of one vehicle', () => {
  let watched: WatchedProduct;
  let browser: Browser;
  let clips: readonly Clip[];

  beforeAll(async () => {
    // With B pictures in one of them, and groups of ten seconds in another.
    clips = await Promise.all((['road', 'cabin', 'rear'] as const).map((name) => loadDemoClip(name)));
    watched = await sharedWatchedProduct();
    browser = await sharedChromium();
  });

  async function play({ mask, quirks, clipOf }: Scene): Promise<Page> {
    const gateway = { host: '127.0.0.1', port: watched.product.jt808Port };
    const profile = { ...EIGHT_CHANNELS, ...(quirks !== undefined && { quirks }) };
    const terminal = new SimulatedTerminal({ profile, gateway, clip: (channel) => clipOf(clips, channel) });
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en' });
    onTestFinished(async () => {
      terminal.stop();
      await context.close();
    });
    terminal.start();
    const page = await context.newPage();
    consoleGuard(page);
    const address = `/live/${EIGHT_CHANNELS.deviceId}@${mask}/${watched.credentialOf(EIGHT_CHANNELS)}?trace=1`;
    await page.goto(watched.product.address + address, { waitUntil: 'commit' });
    const count = [...mask.toString(2)].filter((bit) => bit === '1').length;
    await pictureSince(page, count, 0);
    return page;
  }

  it('shows every frame of all of them, each once and in order, for as long as it is watched', async () => {
    const page = await play({ mask: 255, clipOf: (all, channel) => all[channel % all.length] });
    await startStripSamples(page, CLIP_WIDTH);
    await pictureSince(page, 8, Date.now() + SETTLING_MS);
    await waitFor(
      'pictures of the present',
      () => lateByMs(page),
      (late) => Math.max(...late) < PRESENT_MS,
    );
    const before = await processorTime();
    const fromMs = Date.now();
    // What was drawn by the end has been told soon after.
    await pictureSince(page, 8, fromMs + WATCHED_MS);
    const all = await readTrace(page);
    const traced = all.filter(({ at }) => at >= fromMs);

    const isSpent = await isSpentSince(before);
    for (let channel = 1; channel <= 8; channel++) {
      const frames = traced.filter((picture) => picture.channel === channel).map(frameOf);
      expect(breaks(frames, isSpent), `channel ${channel}`).toEqual([]);
      expect(frames.length).toBeGreaterThan(((WATCHED_MS - 2_000) / FRAME_MS) * (isSpent ? 0.4 : 1));
      const times = traced.filter((picture) => picture.channel === channel).map(({ at }) => at);
      const limitMs = mostStillMs(clips[channel % clips.length]?.keyFrameInterval ?? 0);
      expect(longestGapMs(times, fromMs, fromMs + WATCHED_MS), `channel ${channel}`).toBeLessThan(limitMs);
    }
    const leftOut = traced.filter(({ isSkipped }) => isSkipped === true);
    if (!isSpent) expect(leftOut.length / traced.length).toBeLessThan(MOST_LEFT_OUT);
    // The pixels bear the player out: of each channel they show pictures that it says it drew, in that order.
    const samples = (await readStripSamples(page)).filter(({ at }) => at <= (traced.at(-1)?.at ?? 0));
    expect(samples.length).toBeGreaterThan(8 * (WATCHED_MS / (isSpent ? 6_000 : 1_500)));
    for (let tile = 0; tile < 8; tile++) {
      const drawn = all.filter(({ channel, isSkipped }) => channel === tile + 1 && isSkipped !== true).map(frameOf);
      expect(
        notDrawn(
          samples.filter((sample) => sample.tile === tile),
          drawn,
        ),
        `pixels of tile ${tile}`,
      ).toEqual([]);
    }
  }, 120_000);

  it('never stands still for longer than a group of pictures and two seconds on a line that damages packets', async () => {
    const page = await play({ mask: 31, quirks: SPOILT_HABITS, clipOf: ([road]) => road });
    const before = await processorTime();
    const fromMs = Date.now();
    await pictureSince(page, 5, fromMs + DAMAGED_MS);
    const toMs = fromMs + DAMAGED_MS;
    const traced = (await readTrace(page)).filter(({ at }) => at >= fromMs && at <= toMs);
    const of = (channel: number) => traced.filter((picture) => picture.channel === channel);

    const longestStillMs = Object.fromEntries(
      Object.entries(damage).map(([channel, kind]) => [
        kind,
        longestGapMs(
          of(Number(channel)).map(({ at }) => at),
          fromMs,
          toMs,
        ),
      ]),
    );
    const limitMs = mostStillMs(KEY_FRAME_INTERVAL);
    for (const [kind, stillMs] of Object.entries(longestStillMs)) expect(stillMs, kind).toBeLessThan(limitMs);
    // The line did its work: of what was lost or cut nothing could be shown, and the channel beside it lost nothing.
    for (const channel of [2, 4]) expect(breaks(of(channel).map(frameOf), false)).not.toEqual([]);
    const isSpent = await isSpentSince(before);
    expect(breaks(of(5).map(frameOf), isSpent)).toEqual([]);
  }, 120_000);
});

interface Scene {
  /** Channels, the first in the lowest bit. */
  readonly mask: number;
  readonly quirks?: TerminalQuirks;
  readonly clipOf: (clips: readonly Clip[], channel: number) => Clip | undefined;
}

const frameOf = ({ deviceTimeMs }: Traced): number => Math.round(deviceTimeMs / FRAME_MS);

/** Frames that do not follow the one before; where some may be missing, those that do not come after it. */
function breaks(frames: readonly number[], mayMiss: boolean): string[] {
  return frames.flatMap((frame, index) => {
    const last = frames[index - 1] ?? frame - 1;
    const follows = mayMiss ? frame > last : frame === last + 1;
    return follows ? [] : [`${frame} after ${last}, ${index} of ${frames.length}`];
  });
}

function readTrace(page: Page): Promise<Traced[]> {
  return page.evaluate(() => (globalThis as { __fleetglassTrace?: Traced[] }).__fleetglassTrace ?? []);
}

/** How old the newest picture of each channel was when it was shown: the terminal dates them by the same clock. */
function lateByMs(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const pictures = (globalThis as { __fleetglassTrace?: Traced[] }).__fleetglassTrace?.slice(-1_000) ?? [];
    const newest = new Map(pictures.map(({ channel, at, deviceTimeMs }) => [channel, at - deviceTimeMs]));
    return [...newest.values()];
  });
}

/** Waits in the page until each of so many channels has shown a picture at the moment or later. */
async function pictureSince(page: Page, channels: number, sinceMs: number): Promise<void> {
  const waiting = page.waitForFunction(
    ({ count, since }) => {
      const pictures = (globalThis as { __fleetglassTrace?: Traced[] }).__fleetglassTrace ?? [];
      // The newest stand at the end: a channel that is not among them shows nothing.
      const newest = pictures.slice(-1_000).filter(({ at }) => at >= since);
      return new Set(newest.map(({ channel }) => channel)).size === count;
    },
    { count: channels, since: sinceMs },
    { polling: 250, timeout: 80_000 },
  );
  await waiting.catch(async (cause: unknown) => {
    throw new Error(`a picture of each of ${channels} channels: ${await ages(page)}`, { cause });
  });
}

/** How long ago each channel showed its last picture, and what the tiles say. */
async function ages(page: Page): Promise<string> {
  const last = new Map((await readTrace(page)).map(({ channel, at }) => [channel, at]));
  const told = [...last].map(([channel, at]) => `${channel}: ${Math.round(Date.now() - at)} ms ago`);
  return `${told.join(', ')}; ${await page.locator('body').innerText()}`;
}

/** Samples that are no picture drawn, or of one drawn before that of the sample before. */
function notDrawn(samples: readonly StripSample[], drawn: readonly number[]): StripSample[] {
  let from = 0;
  return samples.filter(({ strip }) => {
    const found = drawn.findIndex((frame, index) => index >= from && frame % LOOP_FRAMES === strip?.frame);
    if (found >= 0) from = found;
    return found < 0;
  });
}

/** The longest time without a new picture; the stretch's ends count. */
function longestGapMs(times: readonly number[], fromMs: number, toMs: number): number {
  const marks = [fromMs, ...times, toMs];
  return Math.max(...marks.slice(1).map((at, index) => at - (marks[index] ?? at)));
}
