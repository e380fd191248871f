// An exported mp4 of a camera with gradual refresh in a browser's own <video>: pictures before its start are decoded and not shown.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeStrip } from '../../../server/demo/clip/frameStrip.ts';
import { openRecordingScene } from '../../server/recording/playback/scene.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { recordPackets } from '../../support/media/recordedDay.ts';
import { exportedClip, relayed } from '../../support/media/relayedClip.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { waitFor } from '../../support/waitFor.ts';

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

    const { played, duration } = await page.evaluate(async (readStripText) => {
      const readStrip = new Function(`return ${readStripText}`)() as (video: HTMLVideoElement) => boolean[];
      const video = document.createElement('video');
      video.muted = true;
      document.body.append(video);
      const played: { second: number; strip: boolean[] }[] = [];
      await new Promise<void>((resolve, reject) => {
        video.onerror = () => reject(new Error(video.error?.message));
        video.onended = () => resolve();
        const look: VideoFrameRequestCallback = (_, { mediaTime }) => {
          played.push({ second: mediaTime, strip: readStrip(video) });
          video.requestVideoFrameCallback(look);
          // The first picture is there before anything plays.
          if (video.paused && !video.ended) void video.play();
        };
        video.requestVideoFrameCallback(look);
        video.src = '/clip.mp4';
      });
      return { played, duration: video.duration };
    }, readStrip.toString());
    const first = Math.round((startMs - START) / FRAME_MS);
    const frameAt = (second: number): number => first + Math.round((second * 1_000) / FRAME_MS);
    const [start, ...others] = played;
    expect([decodeStrip(start?.strip ?? [])?.frame, start?.second ?? 1]).toEqual([first, expect.closeTo(0, 2)]);
    // What is drawn may be the picture behind the one that was told of.
    const isRight = ({ strip, second }: (typeof others)[number]): boolean =>
      [0, 1].includes((decodeStrip(strip)?.frame ?? 0) - frameAt(second));
    expect(others.filter((each) => !isRight(each))).toEqual([]);
    expect(others.length).toBeGreaterThan(0.5 * (FRAMES - first));
    expect(Math.abs(duration - ((FRAMES - first) * FRAME_MS) / 1_000)).toBeLessThan(0.1);

    for (const second of [1.02, 3.02, 0.02]) {
      const video = page.locator('video');
      await video.evaluate((each: HTMLVideoElement, to) => Object.assign(each, { currentTime: to }), second);
      const shown = async () => decodeStrip(await video.evaluate(readStrip))?.frame;
      await waitFor(`the picture of ${second} s`, shown, (frame) => frame === Math.floor(first + second / 0.04));
    }
  });
});

/** The blocks of the strip in the picture that is shown. Runs in the page, where nothing around it is known. */
function readStrip(video: HTMLElement | SVGElement): boolean[] {
  const [blocks, pixels] = [24, 16];
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: blocks * pixels, height: pixels });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(video as HTMLVideoElement, 0, 0);
  const row = context?.getImageData(0, pixels / 2, blocks * pixels, 1).data ?? [];
  return Array.from({ length: blocks }, (_, block) => (row[(block + 0.5) * pixels * 4] ?? 0) > 127);
}
