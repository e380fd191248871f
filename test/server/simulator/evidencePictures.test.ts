// The pictures and clips that simulated terminals upload, as other programs see them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CLIP_HEIGHT,
  CLIP_WIDTH,
  frameAt,
  SUB_CLIP_HEIGHT,
  SUB_CLIP_WIDTH,
} from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { paintScene } from '../../../simulator/clip/scene.ts';
import { alarmClip } from '../../../simulator/evidence/alarmClip.ts';
import { encodeJpeg } from '../../../simulator/evidence/jpeg/jpegEncoder.ts';
import { takeSnapshot } from '../../../simulator/evidence/snapshot.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const LUMA = { zero: 16, range: 219, shift: 0 };
const COLOUR = { zero: 128, range: 224, shift: 128 };
const AT_MS = Date.UTC(2026, 10, 23, 8, 0, 17, 480);
const clips = await loadDemoClips();
const found = findFfmpeg();

/** The pictures that ffmpeg makes of a file, one after another in one format of pixels. */
async function decode(file: string, pixels: 'gray' | 'yuvj420p'): Promise<Buffer> {
  const args = ['-loglevel', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', pixels, '-'];
  const child = spawn(found?.ffmpegPath ?? '', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks);
}

async function decodeBytes(bytes: Uint8Array, name: string, pixels: 'gray' | 'yuvj420p' = 'gray'): Promise<Buffer> {
  const folder = await createTempFolder();
  try {
    const file = join(folder.path, name);
    await writeFile(file, bytes);
    return await decode(file, pixels);
  } finally {
    await folder.remove();
  }
}

function stripOf(luma: Uint8Array, width: number) {
  const row = (STRIP_BLOCK_PIXELS / 2) * width;
  const middle = (block: number): number => row + block * STRIP_BLOCK_PIXELS + STRIP_BLOCK_PIXELS / 2;
  return decodeStrip(Array.from({ length: STRIP_BLOCKS }, (_, block) => (luma[middle(block)] ?? 0) > 127));
}

describe.skipIf(found === undefined)('a snapshot', () => {
  it.each([
    [2, false, CLIP_WIDTH, CLIP_HEIGHT],
    [8, true, SUB_CLIP_WIDTH, SUB_CLIP_HEIGHT],
  ])(
    'of channel %d shows its channel and the frame of its moment, small: %s',
    async (channel, isSmall, width, height) => {
      const luma = await decodeBytes(takeSnapshot({ channel, atMs: AT_MS, isSmall }), 'snapshot.jpg');
      expect(luma).toHaveLength(width * height);
      expect(stripOf(luma, width)).toEqual({ channel, frame: frameAt(AT_MS) });
    },
  );

  it('looks like what the camera sees, in its colours', async () => {
    const scene = paintScene(frameAt(AT_MS), { view: 'road', channel: 1, width: CLIP_WIDTH, height: CLIP_HEIGHT });
    const decoded = await decodeBytes(encodeJpeg(scene, 90), 'road.jpg', 'yuvj420p');
    const pixels = CLIP_WIDTH * CLIP_HEIGHT;
    /** Mean error of a plane in limited range, whose zero and range the standard of video defines, against one in full range. */
    const meanError = (from: number, plane: Uint8Array, { zero, range, shift }: typeof LUMA): number => {
      let sum = 0;
      for (const [at, sample] of plane.entries()) {
        const expected = Math.min(255, Math.max(0, ((sample - zero) * 255) / range + shift));
        sum += Math.abs((decoded[from + at] ?? 0) - expected);
      }
      return sum / plane.length;
    };
    expect(meanError(0, scene.luma, LUMA)).toBeLessThan(2);
    expect(meanError(pixels, scene.blue, COLOUR)).toBeLessThan(2);
    expect(meanError(pixels * 1.25, scene.red, COLOUR)).toBeLessThan(2);
  });
});

describe.skipIf(found === undefined)('the clip of an alarm', () => {
  it.each(['road', 'rear', 'cabin', 'side'] as const)(
    'of the camera "%s" has every frame around it, in order',
    async (view) => {
      const clip = clips[view];
      const mp4 = alarmClip(clip, { startMs: AT_MS - 1_000, endMs: AT_MS + 1_000 });
      const luma = await decodeBytes(mp4, 'alarm.mp4');
      const size = CLIP_WIDTH * CLIP_HEIGHT;
      const frames = Array.from(
        { length: luma.length / size },
        (_, at) => stripOf(luma.subarray(at * size, (at + 1) * size), CLIP_WIDTH)?.frame,
      );
      const [first = -1] = frames;
      expect(first % clip.keyFrameInterval).toBe(0);
      expect(frames).toEqual(frames.map((_, at) => first + at));
      expect(frames).toContain(frameAt(AT_MS - 1_000));
      expect(frames).toContain(frameAt(AT_MS + 1_000));
    },
  );
});
