// A picture that a camera takes at a moment: what its video shows then, with date and channel written below.
import { GMT_PLUS_8_MS } from '../../server/device/jt808/codec/bcd.ts';
import { CLIP_HEIGHT, CLIP_WIDTH, frameAt, SUB_CLIP_HEIGHT, SUB_CLIP_WIDTH } from '../clip/clipFormat.ts';
import { viewOf } from '../clip/clipList.ts';
import { drawText } from '../clip/glyphs.ts';
import { colour, fillBox } from '../clip/planes.ts';
import { paintScene } from '../clip/scene.ts';
import type { TerminalQuirks } from '../quirks.ts';
import { encodeJpeg } from './jpeg/jpegEncoder.ts';

export interface SnapshotOptions {
  readonly channel: number;
  readonly atMs: number;
  readonly isSmall?: boolean;
  /** From 1 to 100. */
  readonly quality?: number;
}

const BLACK = colour(0, 0, 0);
const WHITE = colour(255, 255, 255);
const DEFAULT_QUALITY = 75;
const TEXT_SCALE = 2;
const LINE_PIXELS = 24;

export function takeSnapshot({
  channel,
  atMs,
  isSmall = false,
  quality = DEFAULT_QUALITY,
}: SnapshotOptions): Uint8Array {
  const [width, height] = isSmall ? [SUB_CLIP_WIDTH, SUB_CLIP_HEIGHT] : [CLIP_WIDTH, CLIP_HEIGHT];
  const picture = paintScene(frameAt(atMs), { view: viewOf(channel), channel, width, height });
  const y = height - LINE_PIXELS;
  fillBox(picture, { x: 0, y, width, height: LINE_PIXELS }, BLACK);
  drawText(picture, `${localTime(atMs)}  ${channel}`, { x: 8, y: y + 5, scale: TEXT_SCALE }, WHITE);
  return encodeJpeg(picture, quality);
}

/** The file that a terminal stores of the picture; with a broken camera it is not a picture. */
export function storedSnapshot(options: SnapshotOptions, quirks: TerminalQuirks | undefined): Uint8Array {
  if (quirks?.pictures === 'not-jpeg') return new TextEncoder().encode('camera error\n'.repeat(NOT_JPEG_LINES));
  return takeSnapshot(options);
}

/** Enough lines for more than one package. */
const NOT_JPEG_LINES = 300;

/** The time as terminals write it into their pictures, in the time zone that they keep. */
function localTime(atMs: number): string {
  return new Date(atMs + GMT_PLUS_8_MS).toISOString().slice(0, 19).replace('T', ' ');
}
