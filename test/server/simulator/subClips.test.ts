// The small pictures of the demo's cameras, as a decoder sees them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { LOOP_FRAMES, SUB_CLIP_HEIGHT, SUB_CLIP_WIDTH } from '../../../simulator/clip/clipFormat.ts';
import { CLIPS } from '../../../simulator/clip/clipList.ts';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';
import { type Clip, loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';

const MAX_BYTES = 400_000;
const clips = await loadDemoClips();
const found = findFfmpeg();

const bytesOf = ({ frames }: Clip): number => frames.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** The luma of every picture. */
async function decode(frames: readonly { readonly bytes: Uint8Array }[]): Promise<Uint8Array[]> {
  const args = ['-loglevel', 'error', '-f', 'h264', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'];
  const child = spawn(found?.ffmpegPath ?? '', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(Buffer.concat(frames.map(({ bytes }) => bytes)));
  await once(child, 'close');
  const luma = Buffer.concat(chunks);
  const size = SUB_CLIP_WIDTH * SUB_CLIP_HEIGHT;
  return Array.from({ length: luma.length / size }, (_, at) => luma.subarray(at * size, (at + 1) * size));
}

function stripOf(luma: Uint8Array) {
  const row = (STRIP_BLOCK_PIXELS / 2) * SUB_CLIP_WIDTH;
  const middle = (block: number): number => row + block * STRIP_BLOCK_PIXELS + STRIP_BLOCK_PIXELS / 2;
  return decodeStrip(Array.from({ length: STRIP_BLOCKS }, (_, block) => (luma[middle(block)] ?? 0) > 127));
}

describe.each(['road', 'rear', 'cabin', 'side'] as const)('the small picture of the camera "%s"', (view) => {
  const small = clips[`${view}Sub`];

  it('costs little, and far less than the large one', () => {
    expect(bytesOf(small)).toBeLessThan(MAX_BYTES);
    expect(bytesOf(small)).toBeLessThan(0.6 * bytesOf(clips[view]));
    expect(small).toMatchObject({ codec: 'H264', keyFrameInterval: 50, reorderFrames: 0 });
    expect(small.frames).toHaveLength(LOOP_FRAMES);
  });

  it.skipIf(found === undefined)('has its size, and a strip that can be read in every picture', async () => {
    const from = 700; // a key frame
    const pictures = await decode(small.frames.slice(from, from + 200));
    expect(pictures.map(stripOf)).toEqual(
      Array.from({ length: 200 }, (_, at) => ({ frame: from + at, channel: CLIPS[view].channel })),
    );
  });
});
