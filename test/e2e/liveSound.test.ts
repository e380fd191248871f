// Sound as it leaves the page: what an analyser before the loudspeaker hears.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encodeALaw } from '../../server/device/audio/g711.ts';
import { Codec } from '../../shared/protocol/streamPacket.ts';
import { newPage, setScene, shownPictures, startGateway } from '../browser/player/scene.ts';
import { launchChromium } from '../support/chromium.ts';
import { audioPacket, type FakeGateway, type FakeViewer } from '../support/fakeStream.ts';
import { findFfmpeg } from '../support/ffmpeg.ts';
import { IS_LONG } from '../support/long.ts';
import { isSpentSince, processorTime } from '../support/processorTime.ts';
import {
  type Heard,
  heardBy,
  isHeard,
  loudestHertz,
  soundBeginnings,
  soundContexts,
  sounding,
  soundingMs,
  spyOnSound,
} from '../support/soundSpy.ts';
import { waitFor } from '../support/waitFor.ts';

const scene = setScene(['--autoplay-policy=no-user-gesture-required']);
const CHUNK_MS = 40;
const SOUND_MS = IS_LONG ? 60_000 : 10_000;
const CHUNK_SAMPLES = 8 * CHUNK_MS;

let gateway: FakeGateway;

beforeEach(async () => {
  gateway = await startGateway({ device: { chn: 2, installchs: '', livechs: '' } });
});

/** A-law chunk number `index` of an endless tone. */
function toneChunk(index: number, peak: number, hertz = 1_000): Uint8Array {
  return Uint8Array.from({ length: CHUNK_SAMPLES }, (_, at) => {
    const time = (index * CHUNK_SAMPLES + at) / 8_000;
    return encodeALaw(Math.round(Math.sin(time * 2 * Math.PI * hertz) * peak * 32_767));
  });
}

const sendChunk = (to: FakeViewer, index: number, bytes: Uint8Array) =>
  to.send(audioPacket(Codec.G711A, bytes, index * CHUNK_MS * 1_000));

/** Sends a chunk when its time is over, as a terminal does; the result ends it. */
function playTone(to: FakeViewer, chunkAt: (index: number) => Uint8Array): () => void {
  const startedMs = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = (performance.now() - startedMs) / CHUNK_MS;
    for (; next + 1 <= due && to.isOpen; next++) sendChunk(to, next, chunkAt(next));
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => clearInterval(timer);
}

async function openPage(mask = 1): Promise<Page> {
  const page = await newPage(scene.browser());
  await spyOnSound(page);
  await page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1?trace=1`);
  return page;
}

const streamOf = async (channel: number): Promise<FakeViewer> =>
  (await waitFor(`channel ${channel}`, () =>
    gateway.viewers.find((viewer) => viewer.channel === channel),
  )) as FakeViewer;

describe('the sound of a live page', () => {
  it('S-9.8: is 8000 Hz sound at its own pitch, and takes as long as it lasts', { timeout: 90_000 }, async () => {
    const page = await openPage();
    const stream = await streamOf(1);
    // The first chunks start the sound's own parts; what is measured comes when they run.
    const stopFirst = playTone(stream, (index) => toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    stopFirst();
    await waitFor('silence', async () => !(await isHeard(page)));
    const idleBefore = await processorTime();
    const before = (await heardBy(page)).length;
    const stop = playTone(stream, (index) => (index < SOUND_MS / CHUNK_MS ? toneChunk(index, 0.1) : toneChunk(0, 0)));
    await delay(SOUND_MS / 2);
    expect(await loudestHertz(page)).toBeGreaterThan(990);
    expect(await loudestHertz(page)).toBeLessThan(1_010);
    await waitFor('the end', async () => !(await isHeard(page)));
    stop();
    // On a machine without time to spare there are gaps.
    const leastMs = (await isSpentSince(idleBefore)) ? SOUND_MS * 0.8 : SOUND_MS - 500;
    const heardMs = soundingMs((await heardBy(page)).slice(before));
    expect(heardMs).toBeGreaterThan(leastMs);
    expect(heardMs).toBeLessThan(SOUND_MS + 500);
  });

  it('S-9.10: is five times as loud as it came, and clipped', async () => {
    for (const [peak, expected] of [
      [0.1, 0.5],
      [0.5, 1],
    ] as const) {
      const page = await openPage();
      const stream = gateway.viewers.at(-1) ?? (await streamOf(1));
      const stop = playTone(stream, (index) => toneChunk(index, peak, 400));
      await waitFor('sound', () => isHeard(page));
      const from = (await heardBy(page)).length;
      await waitFor('a second of it', async () => (await heardBy(page)).length > from + 80);
      stop();
      const peaks = (await heardBy(page)).slice(from).map((each) => each.peak);
      const most = Math.max(...peaks);
      expect(most).toBeGreaterThan(expected * 0.9);
      expect(most).toBeLessThanOrEqual(Math.min(1, expected * 1.1));
      await page.close();
      await waitFor('no stream', () => gateway.openCount === 0);
      gateway.viewers.length = 0;
    }
  });

  it('S-9.9: of a burst of 200 chunks lasts no longer than fifty', async () => {
    const page = await openPage();
    const stream = await streamOf(1);
    const stop = playTone(stream, (index) => toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    stop();
    await waitFor('silence', async () => !(await isHeard(page)));
    const before = (await heardBy(page)).length;
    for (let index = 0; index < 200; index++) sendChunk(stream, 1_000 + index, toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    await waitFor('silence', async () => !(await isHeard(page)));
    expect(soundingMs((await heardBy(page)).slice(before))).toBeLessThanOrEqual(50 * CHUNK_MS + 300);
  });

  it('S-2.5.17, S-7.14: is of channel 1 alone, by one context and files without a hash', async () => {
    const page = await openPage(3);
    const [first, second] = [await streamOf(1), await streamOf(2)];
    playTone(second, (index) => toneChunk(index, 0.1));
    // Nobody asked for it: a server that sends it all the same is not heard.
    await delay(700);
    expect(await heardBy(page)).toSatisfy((heard: Heard[]) => sounding(heard).length === 0);
    playTone(first, (index) => toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    expect(await soundContexts(page)).toBe(1);
    const sounds = gateway.requests.filter((path) => path.startsWith('/workers/audio'));
    expect([...new Set(sounds)].sort()).toEqual(['/workers/audio.worker.js', '/workers/audio.worklet.js']);
  });

  it('keeps within 80 ms of its pictures', async () => {
    const page = await openPage();
    const stream = await streamOf(1);
    const idleBefore = await processorTime();
    // A beep of one chunk at the start of each second of media time.
    playTone(stream, (index) => toneChunk(index, index % 25 === 0 ? 0.2 : 0));
    // A terminal sends a chunk when its last sample is in; a picture takes it about as long to encode.
    await delay(CHUNK_MS);
    stream.play(scene.clip().frames);
    const beeps = await waitFor(
      'eight beeps',
      () => soundBeginnings(page),
      (beginnings) => beginnings.length >= 8,
    );
    const seconds = (await shownPictures(page)).filter(({ mediaTimeUs }) => mediaTimeUs % 1_000_000 === 0);
    // The sound of a moment, less the picture of it; positive when the sound is late. At first it is not in step yet.
    const apart = beeps.slice(4).map((began) => {
      const [nearest = 1_000] = seconds.map(({ at }) => began - at).sort((a, b) => Math.abs(a) - Math.abs(b));
      return Math.round(nearest);
    });
    // The middle one: a machine that is busy elsewhere moves single ones.
    const middle = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)] ?? 1_000;
    const limitMs = (await isSpentSince(idleBefore)) ? 200 : 80;
    expect(Math.abs(middle), `apart: ${apart.join(' ')}`).toBeLessThanOrEqual(limitMs);
  });
});

describe('a browser that wants a gesture', () => {
  it('is asked for one on the tile, and then plays', async () => {
    const strict = await launchChromium(['--autoplay-policy=document-user-activation-required']);
    onTestFinished(() => strict.close());
    const page = await newPage(strict);
    await page.goto(`${gateway.origin}/live/DEV1@1/ann/secret1`);
    playTone(await streamOf(1), (index) => toneChunk(index, 0.1));
    // Until the sound is set up nothing may look into the page: what a test evaluates there counts as a gesture.
    const isAsked = () => gateway.requests.some((path) => path.startsWith('/workers/audio.worklet'));
    await waitFor('the sound’s parts', isAsked);
    await page.getByRole('button', { name: 'Tap for sound' }).click();
    await page.getByRole('button', { name: 'Tap for sound' }).waitFor({ state: 'detached' });
  });
});

const ffmpeg = findFfmpeg();

describe.skipIf(ffmpeg === undefined)('AAC', () => {
  it('S-9.9: plays, and of a burst of 200 frames lasts no longer than twenty', async () => {
    const { stdout } = spawnSync(ffmpeg?.ffmpegPath ?? '', [
      ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=frequency=1000:sample_rate=8000:duration=30'],
      ...['-c:a', 'aac', '-b:a', '32k', '-ac', '1', '-f', 'adts', '-'],
    ]);
    const frames = splitAdts(stdout);
    const page = await openPage();
    const stream = await streamOf(1);
    const send = (index: number) =>
      stream.send(audioPacket(Codec.Aac, frames[index] ?? new Uint8Array(), index * 128_000));
    send(0);
    await waitFor('the sound’s parts', () => heardBy(page).then((heard) => heard.length > 20));
    const before = (await heardBy(page)).length;
    for (let index = 0; index < 200; index++) send(index);
    await waitFor('sound', () => isHeard(page));
    expect(
      await waitFor(
        'its pitch',
        () => loudestHertz(page),
        (hertz) => Math.abs(hertz - 1_000) < 10,
      ),
    ).toBeDefined();
    await waitFor('silence', async () => !(await isHeard(page)));
    expect(soundingMs((await heardBy(page)).slice(before))).toBeLessThanOrEqual(20 * 128 + 300);
  });
});

function splitAdts(stream: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 7 <= stream.length; ) {
    const length = (((stream[at + 3] ?? 0) & 3) << 11) | ((stream[at + 4] ?? 0) << 3) | ((stream[at + 5] ?? 0) >> 5);
    frames.push(stream.slice(at, at + length));
    at += Math.max(length, 7);
  }
  return frames;
}
