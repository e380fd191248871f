// Reads raw H.264 and H.265: pictures without times.
import type { FileHandle } from 'node:fs/promises';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { type AccessUnit, AccessUnits } from './accessUnits.ts';
import { fileChunks, readAt } from './fileChunks.ts';
import { pictureUsOf } from './pictureRate.ts';
import type { ReadHints } from './readRecording.ts';
import { HEAD_BYTES } from './recognise.ts';
import { type FileCodec, StreamBuilder } from './streamBuilder.ts';
import { UnitSplitter } from './unitSplitter.ts';

/** Duration of a picture at 25 per second. */
const DEFAULT_PICTURE_US = 40_000;

export async function* readRaw(
  file: FileHandle,
  codec: FileCodec,
  hints: ReadHints,
): AsyncGenerator<readonly WrittenPacket[]> {
  const said = pictureUsOf(codec, await readAt(file, 0, HEAD_BYTES));
  const pictureUs = said ?? (await sharedUs(file, codec, hints));
  const builder = new StreamBuilder('decoded');
  let number = 0;
  for await (const units of accessUnits(file, codec)) {
    for (const { bytes, isBehindLoss } of units) {
      builder.picture({ codec, bytes, timeUs: number * pictureUs, isBehindLoss });
      number++;
    }
    yield builder.take();
  }
  yield builder.end();
}

/** The requested span, divided among the pictures that came. */
async function sharedUs(file: FileHandle, codec: FileCodec, { spanMs }: ReadHints): Promise<number> {
  let pictures = 0;
  for await (const units of accessUnits(file, codec)) pictures += units.length;
  return pictures === 0 || spanMs <= 0 ? DEFAULT_PICTURE_US : (spanMs * 1000) / pictures;
}

async function* accessUnits(file: FileHandle, codec: FileCodec): AsyncGenerator<readonly AccessUnit[]> {
  const splitter = new UnitSplitter();
  const pictures = new AccessUnits(codec);
  for await (const chunk of fileChunks(file, 0))
    yield splitter.push(chunk).flatMap((unit) => pictures.push(unit) ?? []);
  const rest = splitter.end().flatMap((unit) => pictures.push(unit) ?? []);
  yield [...rest, pictures.end()].filter((each) => each !== undefined);
}
