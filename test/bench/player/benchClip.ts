// The pictures that the players are compared on: a test card with noise and the machine-readable strip, made with
// ffmpeg, as FLV (for mpegts.js) and as the same frames in Annex B (for ours).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeStrip, STRIP_BLOCK_PIXELS } from '../../../simulator/clip/frameStrip.ts';

export interface ClipShape {
  readonly width: number;
  readonly height: number;
  readonly kbps: number;
  readonly seconds: number;
  readonly channel: number;
  /** Between two references; none unless given. */
  readonly bPictures?: number;
}

const CLIP_FPS = 25;
export const FRAME_MS = 1000 / CLIP_FPS;
const GROUP_FRAMES = 50;
const WHITE_LUMA = 235;
const BLACK_LUMA = 16;

/** The clip as an FLV file's bytes: encoded at the first time, kept in the folder for the next. */
export async function makeFlvClip(shape: ClipShape, folder: string, ffmpegPath: string): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true });
  const { width, height, kbps, seconds, channel, bPictures = 0 } = shape;
  const order = bPictures === 0 ? '' : `-${bPictures}b`;
  const file = join(folder, `clip-${width}x${height}-${kbps}k-${seconds}s-${channel}${order}.flv`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return new Uint8Array(kept);
  // Under its name stands only what is whole.
  const partial = `${file}.partial`;
  await encodeClip(shape, partial, ffmpegPath);
  await rename(partial, file);
  return new Uint8Array(await readFile(file));
}

async function encodeClip(shape: ClipShape, output: string, ffmpegPath: string): Promise<void> {
  const size = `${shape.width}x${shape.height}`;
  const source = spawn(
    ffmpegPath,
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=${size}:rate=${CLIP_FPS},noise=alls=12:allf=t:all_seed=${shape.channel}`,
      '-t',
      `${shape.seconds}`,
      '-pix_fmt',
      'yuv420p',
      '-f',
      'rawvideo',
      '-',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const encoder = spawn(ffmpegPath, encoderArguments(shape, size, output), { stdio: ['pipe', 'inherit', 'inherit'] });
  await stampFrames(source.stdout, encoder.stdin, shape);
  encoder.stdin.end();
  const [exitCode] = await once(encoder, 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
}

function encoderArguments(shape: ClipShape, size: string, output: string): string[] {
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-s',
    size,
    '-r',
    `${CLIP_FPS}`,
    '-i',
    '-',
    '-c:v',
    'libx264',
    '-profile:v',
    'main',
    '-preset',
    'fast',
    '-bf',
    `${shape.bPictures ?? 0}`,
    '-b_strategy',
    '0',
    '-b:v',
    `${shape.kbps}k`,
    '-maxrate',
    `${shape.kbps * 1.5}k`,
    '-bufsize',
    `${shape.kbps * 2}k`,
    '-g',
    `${GROUP_FRAMES}`,
    '-keyint_min',
    `${GROUP_FRAMES}`,
    '-sc_threshold',
    '0',
    '-an',
    '-f',
    'flv',
    output,
  ];
}

async function stampFrames(
  source: AsyncIterable<Buffer>,
  encoder: NodeJS.WritableStream,
  shape: ClipShape,
): Promise<void> {
  const frameBytes = (shape.width * shape.height * 3) / 2;
  let held = Buffer.alloc(0);
  let frame = 0;
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= frameBytes) {
      const picture = Buffer.from(held.subarray(0, frameBytes));
      held = held.subarray(frameBytes);
      stampStrip(picture, shape, frame++);
      if (!encoder.write(picture)) await once(encoder, 'drain');
    }
  }
}

function stampStrip(picture: Uint8Array, shape: ClipShape, frame: number): void {
  encodeStrip({ frame, channel: shape.channel }).forEach((isWhite, block) => {
    for (let y = 0; y < STRIP_BLOCK_PIXELS; y++) {
      const start = y * shape.width + block * STRIP_BLOCK_PIXELS;
      picture.fill(isWhite ? WHITE_LUMA : BLACK_LUMA, start, start + STRIP_BLOCK_PIXELS);
    }
  });
}
