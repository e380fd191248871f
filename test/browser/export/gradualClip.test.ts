// An exported mp4 of a camera with gradual refresh in a browser's own <video>: pictures before its start are decoded and not shown.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeStrip } from '../../../simulator/clip/frameStrip.ts';
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
const MAX_AHEAD = 10;

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

    await page.evaluate(async () => {
      const video = document.createElement('video');
      video.muted = true;
      document.body.append(video);
      // Not by its address: what can't be asked for in parts can't be sought in.
      video.src = URL.createObjectURL(await (await fetch('/clip.mp4')).blob());
    });
    const video = page.locator('video');
    const first = Math.round((startMs - START) / FRAME_MS);
    const frameAt = (second: number): number => first + Math.round((second * 1_000) / FRAME_MS);
    const shown = async () => decodeStrip(await video.evaluate(readStrip))?.frame;
    expect(await waitFor('a picture before anything plays', shown, (frame) => frame !== undefined)).toBe(first);

    const { played, duration } = await video.evaluate(async (each: HTMLVideoElement, readStripText) => {
      const readStrip = new Function(`return ${readStripText}`)() as (video: HTMLVideoElement) => boolean[];
      const played: { second: number; strip: boolean[] }[] = [];
      const look: VideoFrameRequestCallback = (_, { mediaTime }) => {
        played.push({ second: mediaTime, strip: readStrip(each) });
        each.requestVideoFrameCallback(look);
      };
      each.requestVideoFrameCallback(look);
      await new Promise<void>((resolve, reject) => {
        each.onerror = () => reject(new Error(each.error?.message));
        each.onended = () => resolve();
        void each.play();
      });
      return { played, duration: each.duration };
    }, readStrip.toString());
    // What is drawn may be a picture behind the one that was told of: the machine has other things to do.
    const isRight = ({ strip, second }: (typeof played)[number]): boolean => {
      const ahead = (decodeStrip(strip)?.frame ?? 0) - frameAt(second);
      return ahead >= 0 && ahead < MAX_AHEAD;
    };
    expect(played.filter((each) => !isRight(each))).toEqual([]);
    expect(played.length).toBeGreaterThan(0.2 * (FRAMES - first));
    expect(Math.abs(duration - ((FRAMES - first) * FRAME_MS) / 1_000)).toBeLessThan(0.1);

    for (const second of [1.02, 3.02, 0.02]) {
      await video.evaluate((each: HTMLVideoElement, to) => Object.assign(each, { currentTime: to }), second);
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
