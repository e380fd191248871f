// Sound as it leaves the page: what an analyser before the loudspeaker hears.
import { spawnSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { median } from '../../bench/statistics.ts';
import { newPage } from '../../browser/player/scene.ts';
import { launchChromium } from '../../support/browser/chromium.ts';
import {
  type Heard,
  heardBy,
  isHeard,
  loudestHertz,
  soundContexts,
  sounding,
  soundingMs,
} from '../../support/browser/soundSpy.ts';
import { audioPacket } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { waitFor } from '../../support/waitFor.ts';
import { CHUNK_MS, playTone, sendChunk, setSoundScene, toneChunk } from './liveSoundScene.ts';

const { gateway, openPage, streamOf } = setSoundScene();

describe('the sound of a live page', () => {
  it('S-9.10: is five times as loud as it came, and clipped', async () => {
    for (const [peak, expected] of [
      [0.1, 0.5],
      [0.5, 1],
    ] as const) {
      const page = await openPage();
      const stream = gateway().viewers.at(-1) ?? (await streamOf(1));
      const stop = playTone(stream, (index) => toneChunk(index, peak, 400));
      await waitFor('sound', () => isHeard(page));
      const from = (await heardBy(page)).length;
      await waitFor('a second of it', async () => (await heardBy(page)).length > from + 80);
      stop();
      // The median: where a busy machine lets a backlog of sound grow, part of it is dropped, and the cut may be louder.
      const peaks = sounding((await heardBy(page)).slice(from)).map((each) => each.peak);
      expect(median(peaks)).toBeGreaterThan(expected * 0.9);
      expect(median(peaks)).toBeLessThanOrEqual(Math.min(1, expected * 1.1));
      await page.close();
      await waitFor('no stream', () => gateway().openCount === 0);
      gateway().viewers.length = 0;
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
    let sentMs = 0;
    playTone(second, (index) => {
      sentMs = (index + 1) * CHUNK_MS;
      return toneChunk(index, 0.1);
    });
    // Nobody asked for it: a server that sends it all the same is not heard.
    await waitFor('a while of sound', () => sentMs >= 700);
    expect(await heardBy(page)).toSatisfy((heard: Heard[]) => sounding(heard).length === 0);
    playTone(first, (index) => toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    expect(await soundContexts(page)).toBe(1);
    const sounds = gateway().requests.filter((path) => path.startsWith('/workers/audio'));
    expect([...new Set(sounds)].sort()).toEqual(['/workers/audio.worker.js', '/workers/audio.worklet.js']);
  });
});

describe('a browser that wants a gesture', () => {
  it('is asked for one on the tile, and then plays', async () => {
    const strict = await launchChromium(['--autoplay-policy=document-user-activation-required']);
    onTestFinished(() => strict.close());
    const page = await newPage(strict);
    await page.goto(`${gateway().origin}/live/DEV1@1/ann/secret1`);
    playTone(await streamOf(1), (index) => toneChunk(index, 0.1));
    // Until the sound is set up nothing may look into the page: what a test evaluates there counts as a gesture.
    const isAsked = () => gateway().requests.some((path) => path.startsWith('/workers/audio.worklet'));
    await waitFor('the sound’s parts', isAsked);
    await page.getByRole('button', { name: 'Tap for sound' }).click();
    await page.getByRole('button', { name: 'Tap for sound' }).waitFor({ state: 'detached' });
  });
});

const ffmpeg = findFfmpeg();

describe.skipIf(ffmpeg === undefined)('AAC', () => {
  it('S-9.9: plays, and of a burst of 200 frames lasts no longer than twenty', async () => {
    const { stdout } = spawnSync(ffmpeg?.ffmpegPath ?? '', [
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=1000:sample_rate=8000:duration=30',
      '-c:a',
      'aac',
      '-b:a',
      '32k',
      '-ac',
      '1',
      '-f',
      'adts',
      '-',
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
