// An exported mp4 of a camera with gradual refresh in a browser's own <video>: pictures before its start are decoded and not shown.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../server/demo/clip/frameStrip.ts';
import { openRecordingScene } from '../../server/recording/playback/scene.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { recordPackets } from '../../support/media/recordedDay.ts';
import { exportedClip, relayed } from '../../support/media/relayedClip.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';

const ffmpeg = findFfmpeg();
const START = Date.UTC(2026, 2, 1, 12);
const TRACK = { archiveId: 'van-1', channel: 1 };
const FRAME_MS = 40;
const FRAMES = 230;

async function clipFrom(fromMs: number, bPictures: number) {
  const size = { width: 384, height: 96, frames: FRAMES, keyFrameInterval: 50 };
  const clip = await makeStripClip(ffmpeg?.ffmpegPath ?? '', { ...size, bPictures, hasIntraRefresh: true });
  const scene = await openRecordingScene();
  onTestFinished(() => scene.close());
  await recordPackets(scene, TRACK, relayed(clip), START);
  return exportedClip(scene.gopReader, { track: TRACK, fromMs: START + fromMs, toMs: START + FRAMES * FRAME_MS });
}

describe.skipIf(ffmpeg === undefined)('an exported mp4 of a camera with gradual refresh', () => {
  it.each([0, 2])('shows the first right picture first, and every one behind it (%i B pictures)', async (bPictures) => {
    const { bytes, startMs } = await clipFrom(105 * FRAME_MS, bPictures);
    const server = createServer((request, response) => {
      const isClip = request.url === '/clip.mp4';
      response.writeHead(200, { 'content-type': isClip ? 'video/mp4' : 'text/html' });
      response.end(isClip ? bytes : '<!doctype html>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const page = await (await sharedChromium()).newPage();
    onTestFinished(() => page.close());
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

    const shown = await page.evaluate(
      async ({ blocks, pixels }) => {
        const video = document.createElement('video');
        video.muted = true;
        video.src = URL.createObjectURL(await (await fetch('/clip.mp4')).blob());
        document.body.append(video);
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d', { willReadFrequently: true });
        const pictures: { second: number; strip: boolean[] }[] = [];
        await new Promise<void>((resolve, reject) => {
          video.onerror = () => reject(new Error(video.error?.message));
          video.onended = () => resolve();
          const look: VideoFrameRequestCallback = (_, { mediaTime, width, height }) => {
            Object.assign(canvas, { width, height });
            context?.drawImage(video, 0, 0);
            const row = context?.getImageData(0, pixels / 2, blocks * pixels, 1).data ?? [];
            const strip = Array.from({ length: blocks }, (_, block) => (row[(block + 0.5) * pixels * 4] ?? 0) > 127);
            pictures.push({ second: mediaTime, strip });
            video.requestVideoFrameCallback(look);
          };
          video.requestVideoFrameCallback(look);
          // The first picture is there before anything plays.
          video.oncanplaythrough = () => setTimeout(() => void video.play(), 200);
        });
        return { pictures, seconds: video.duration };
      },
      { blocks: STRIP_BLOCKS, pixels: STRIP_BLOCK_PIXELS },
    );
    const first = Math.round((startMs - START) / FRAME_MS);
    const frames = shown.pictures.map(({ strip, second }) => ({ frame: decodeStrip(strip)?.frame, second }));
    expect(frames[0]?.frame).toBe(first);
    expect(frames[0]?.second).toBeLessThan(0.002);
    expect(frames.map(({ frame }) => frame)).toEqual(
      frames.map(({ second }) => first + Math.round((second * 1_000) / FRAME_MS)),
    );
    expect(frames.length).toBeGreaterThan(0.5 * (FRAMES - first));
    expect(Math.abs(shown.seconds - ((FRAMES - first) * FRAME_MS) / 1_000)).toBeLessThan(0.1);
  });
});
