// An exported mp4 in a browser's own <video>: its length, its pictures at the moments asked for, over a hole and with B pictures,
// and its sound, at its moment.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportChannel, planExport } from '../../../server/recording/export/exportChannel.ts';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { SAMPLE_RATE_HZ } from '../../../simulator/clip/tone.ts';
import { openRecordingScene, type RecordingScene } from '../../server/recording/playback/scene.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { fidelityDb } from '../../support/media/decodedSound.ts';
import { recordChannel, recordedTone } from '../../support/media/recordedDay.ts';

const DEVICE = 'van-1';
const START = Date.UTC(2026, 2, 1, 14);
const GAP_FROM = START + 60_000;
const GAP_TO = START + 90_000;
const END = START + 420_000;
/** Delay of the sound's encoder, at 8 kHz. */
const DELAY_SAMPLES = 576;
/** The loss of the sound is at least this far below it. */
const MIN_FIDELITY_DB = 25;

describe('an exported mp4 in a browser', () => {
  let scene: RecordingScene;
  let browser: Browser;
  let page: Page;
  let server: Server;
  /** Keyed by path. */
  const mp4s = new Map<string, Uint8Array>();

  beforeAll(async () => {
    scene = await openRecordingScene();
    const clips = await loadDemoClips();
    const spans = [
      { fromMs: START, toMs: GAP_FROM },
      { fromMs: GAP_TO, toMs: END },
    ];
    await recordChannel(scene, { archiveId: DEVICE, channel: 1, clip: clips.road, spans, withSound: true });
    await recordChannel(scene, { archiveId: DEVICE, channel: 3, clip: clips.cabin, spans });
    for (const channel of [1, 3]) mp4s.set(`/${channel}.mp4`, await exported(channel));
    server = createServer((request, response) => {
      const mp4 = mp4s.get(request.url ?? '');
      if (mp4 === undefined) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      else response.writeHead(200, { 'content-type': 'video/mp4' }).end(mp4);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    browser = await sharedChromium();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }, 120_000);
  afterAll(async () => {
    await page?.close();
    server.close();
    await scene.close();
  });

  async function exported(channel: number): Promise<Uint8Array> {
    const range = { track: { archiveId: DEVICE, channel }, fromMs: START, toMs: END };
    const [plan] = await planExport(scene.gopReader, range);
    if (plan === undefined) throw new Error('nothing is recorded');
    const pieces: Uint8Array[] = [];
    const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes.slice());
    await exportChannel(scene.gopReader, plan, { write, signal: new AbortController().signal, onProgress: () => {} });
    return Buffer.concat(pieces);
  }

  /** Opens the mp4, seeks to the moments one after another, and gives the blocks of the strip that is shown at each of them. */
  const look = (path: string, seconds: readonly number[]) =>
    page.evaluate(
      async ({ path, seconds, blocks, pixels, frameSeconds }) => {
        const video = document.createElement('video');
        video.muted = true;
        video.src = URL.createObjectURL(await (await fetch(path)).blob());
        await new Promise((resolve, reject) => {
          video.onloadeddata = resolve;
          video.onerror = () => reject(new Error(video.error?.message));
        });
        const duration = video.duration;
        // "seeked" may come before the picture does: what is drawn is the picture presented last, and only this callback names it.
        let shownSecond = Number.NaN;
        let onShown = (): void => {};
        const watch = (): number =>
          video.requestVideoFrameCallback((_, picture) => {
            shownSecond = picture.mediaTime;
            onShown();
            watch();
          });
        watch();
        document.body.append(video);
        const canvas = document.createElement('canvas');
        canvas.width = video.videoWidth;
        canvas.height = video.videoHeight;
        const context = canvas.getContext('2d', { willReadFrequently: true });
        const strips: boolean[][] = [];
        for (const second of seconds) {
          await new Promise<void>((resolve) => {
            onShown = () => {
              if (!video.seeking && shownSecond <= second && second < shownSecond + frameSeconds) resolve();
            };
            video.onseeked = onShown;
            video.currentTime = second;
          });
          context?.drawImage(video, 0, 0);
          const row = context?.getImageData(0, pixels / 2, blocks * pixels, 1).data ?? new Uint8ClampedArray();
          strips.push(Array.from({ length: blocks }, (_, block) => (row[(block + 0.5) * pixels * 4] ?? 0) > 127));
        }
        return { duration, strips };
      },
      { path, seconds, blocks: STRIP_BLOCKS, pixels: STRIP_BLOCK_PIXELS, frameSeconds: FRAME_MS / 1000 },
    );

  test.each([1, 3])('shows the pictures of the moments asked for, on channel %d', async (channel) => {
    // In the middle of a picture's time: at its edge either neighbor would be right.
    const moments = [0, 10_000, 59_000, 91_000, 200_040, 301_960, 359_960, 419_000];
    const { duration, strips } = await look(
      `/${channel}.mp4`,
      moments.map((at) => (at + FRAME_MS / 2) / 1000),
    );
    expect(duration).toBeCloseTo((END - START) / 1000, 1);
    expect(strips.map((strip) => decodeStrip(strip)?.frame)).toEqual(moments.map((at) => frameAt(START + at)));
  });

  test('has the sound that was recorded, at its moment to the sample', async () => {
    const { heard, samples, ...format } = await page.evaluate(async (sampleRate) => {
      // The context has the mp4's own rate, so nothing is resampled.
      const context = new OfflineAudioContext(1, 1, sampleRate);
      const sound = await context.decodeAudioData(await (await fetch('/1.mp4')).arrayBuffer());
      const samples = Int16Array.from(sound.getChannelData(0), (sample) => Math.round(sample * 32_767));
      let heard = '';
      for (const byte of new Uint8Array(samples.buffer)) heard += String.fromCharCode(byte);
      return { channels: sound.numberOfChannels, rate: sound.sampleRate, samples: samples.length, heard: btoa(heard) };
    }, SAMPLE_RATE_HZ);
    expect(format).toEqual({ channels: 1, rate: SAMPLE_RATE_HZ });
    // This reader takes the encoder's delay off the sound's end too.
    const missing = ((END - START) * SAMPLE_RATE_HZ) / 1000 - samples;
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThanOrEqual(DELAY_SAMPLES);
    const bytes = new Uint8Array(Buffer.from(heard, 'base64'));
    const recorded = recordedTone(START, END, { fromMs: GAP_FROM, toMs: GAP_TO });
    expect(fidelityDb(new Int16Array(bytes.buffer), recorded)).toBeGreaterThan(MIN_FIDELITY_DB);
  });

  test('plays its sound with its pictures, from a moment that was sought', async () => {
    const { decodedBytes, loudest } = await page.evaluate(async (second) => {
      const video = document.createElement('video') as HTMLVideoElement &
        Readonly<{ webkitAudioDecodedByteCount: number }>;
      video.src = URL.createObjectURL(await (await fetch('/1.mp4')).blob());
      video.currentTime = second;
      document.body.append(video);
      // What is played is heard here, whether or not this machine has a loudspeaker.
      const context = new AudioContext();
      const ear = context.createAnalyser();
      context.createMediaElementSource(video).connect(ear).connect(context.destination);
      const wave = new Float32Array(ear.fftSize);
      let loudest = 0;
      await context.resume();
      await video.play();
      await new Promise<void>((resolve, reject) => {
        video.onerror = () => reject(new Error(video.error?.message));
        const listen = (): void => {
          ear.getFloatTimeDomainData(wave);
          loudest = wave.reduce((most, sample) => Math.max(most, Math.abs(sample)), loudest);
          if (video.currentTime > second + 1 && loudest > 0) resolve();
          else requestAnimationFrame(listen);
        };
        listen();
      });
      video.pause();
      video.remove();
      await context.close();
      return { decodedBytes: video.webkitAudioDecodedByteCount, loudest };
    }, 100);
    expect(decodedBytes).toBeGreaterThan(500);
    // This is the hum's thousand steps of 32,768, if no pip was heard.
    expect(loudest).toBeGreaterThan(0.02);
  });
});
