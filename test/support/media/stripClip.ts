// Small clips of any size with the machine-readable strip, made by ffmpeg when a test needs them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PictureOrder } from '../../../server/media/h264/pictureOrder.ts';
import { NalType, splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { encodeStrip, STRIP_BLOCK_PIXELS } from '../../../simulator/clip/frameStrip.ts';
import { colour, createPicture, fillBox, type Picture } from '../../../simulator/clip/planes.ts';
import type { ClipPicture } from '../fakes/fakeStream.ts';

/** The encoder counts two for a picture, one for each field. */
const COUNTS_A_PICTURE = 2;

export interface StripClipOptions {
  /** At least 384 wide, so that the strip fits; even. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly keyFrameInterval: number;
  /** Pictures between two references that refer to both; none unless given. */
  readonly bPictures?: number;
  /** Groups after the first begin with a picture that is no IDR, and pictures behind it refer to before it. */
  readonly hasOpenGroups?: boolean;
  /** No picture after the first is a key frame: P pictures are refreshed column by column, and something moves across them. */
  readonly hasIntraRefresh?: boolean;
  /** More for the encoder, as x264 writes it. */
  readonly encoder?: string;
}

/** The pictures of a clip, numbered in their strips from 0. H.264 main. */
export async function makeStripClip(ffmpegPath: string, options: StripClipOptions): Promise<ClipPicture[]> {
  const { width, height, frames, keyFrameInterval } = options;
  const isRefreshed = options.hasIntraRefresh === true;
  const kind = isRefreshed ? 'b-pyramid=none:intra-refresh=1' : 'b-pyramid=normal';
  const order = `bframes=${options.bPictures ?? 0}:b-adapt=0:${kind}:open-gop=${options.hasOpenGroups === true ? 1 : 0}`;
  const groups = `keyint=${keyFrameInterval}:min-keyint=${keyFrameInterval}:scenecut=0:${order}:aud=1:repeat-headers=1${options.encoder === undefined ? '' : `:${options.encoder}`}`;
  const ffmpeg = spawn(
    ffmpegPath,
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'yuv420p',
      '-s',
      `${width}x${height}`,
      '-r',
      '25',
      '-i',
      '-',
      '-c:v',
      'libx264',
      '-profile:v',
      'main',
      '-preset',
      'ultrafast',
      '-x264-params',
      groups,
      '-f',
      'h264',
      '-',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const chunks: Buffer[] = [];
  ffmpeg.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let frame = 0; frame < frames; frame++) {
    const { luma, blue, red } = paint(createPicture(width, height), frame, isRefreshed);
    for (const plane of [luma, blue, red]) if (!ffmpeg.stdin.write(plane)) await once(ffmpeg.stdin, 'drain');
  }
  ffmpeg.stdin.end();
  const [exitCode] = await once(ffmpeg, 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
  return splitPictures(new Uint8Array(Buffer.concat(chunks)));
}

function paint(picture: Picture, frame: number, hasMotion: boolean): Picture {
  fillBox(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, colour(40, 90, 160));
  if (hasMotion) moveAcross(picture, frame);
  encodeStrip({ frame, channel: 1 }).forEach((isWhite, index) => {
    const box = { x: index * STRIP_BLOCK_PIXELS, y: 0, width: STRIP_BLOCK_PIXELS, height: STRIP_BLOCK_PIXELS };
    fillBox(picture, box, isWhite ? colour(255, 255, 255) : colour(0, 0, 0));
  });
  return picture;
}

/** Boxes in the lower part, at speeds of their own, which pictures take from each other. */
function moveAcross(picture: Picture, frame: number): void {
  const side = 24;
  for (let box = 0; box < 6; box++) {
    const x = (box * 71 + frame * (2 * box + 2)) % (picture.width - side);
    const y = STRIP_BLOCK_PIXELS + 2 + ((box * 13) % Math.max(1, picture.height - STRIP_BLOCK_PIXELS - side - 2));
    const place = { x: x & ~1, y: y & ~1, width: side, height: side };
    fillBox(picture, place, colour(40 * box, 255 - 30 * box, (frame * 3 + 60 * box) % 256));
  }
}

/** One access unit begins at each delimiter. */
function splitPictures(stream: Uint8Array): ClipPicture[] {
  const starts: number[] = [];
  for (let at = 0; at + 4 < stream.length; at++) {
    const isDelimiter = stream[at + 4] === NalType.AccessUnitDelimiter && stream[at + 3] === 1;
    if (isDelimiter && stream[at] === 0 && stream[at + 1] === 0 && stream[at + 2] === 0) starts.push(at);
  }
  const order = new PictureOrder();
  let key = 0;
  return starts.map((start, index) => {
    const bytes = stream.subarray(start, starts[index + 1] ?? stream.length);
    const units = splitNalUnits(bytes);
    const isKey = units.some((unit) => unit.type === NalType.Idr);
    if (isKey) key = index;
    for (const unit of units) if (unit.type === NalType.Sps) order.learnSet(unit.bytes);
    const slice = units.find((unit) => unit.type === NalType.Idr || unit.type === NalType.Slice);
    const place = slice === undefined ? undefined : order.next(slice);
    return { bytes, isKey, shownAt: place === undefined ? index : key + place / COUNTS_A_PICTURE };
  });
}
