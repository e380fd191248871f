import { type FileBlock, MAX_BLOCK_BYTES } from '../../server/device/jt808/codec/attachmentStream.ts';
import type { FileRange } from '../../server/device/jt808/codec/messages/attachments.ts';
import type { AttachmentQuirks } from '../quirks.ts';
import type { AlarmFile } from './alarmFiles.ts';

/** Smaller than allowed, so that pictures have several blocks. */
const BLOCK_BYTES = 8 * 1024;

/** The blocks of a whole file when it is sent for the first time. */
export function* blocksOf(file: AlarmFile, quirks: AttachmentQuirks): Generator<FileBlock> {
  const { loseEveryBlock, doubleEveryBlock, isEndless } = quirks;
  let count = 0;
  for (const block of blocksIn(file, { offset: 0, lengthBytes: file.bytes.length })) {
    count++;
    if (loseEveryBlock === undefined || count % loseEveryBlock !== 0) yield block;
    if (doubleEveryBlock !== undefined && count % doubleEveryBlock === 0) yield block;
  }
  if (isEndless === true) yield* blocksBehind(file);
}

/** The blocks of a part of a file, within the file's bounds. */
export function* blocksIn({ name, bytes }: AlarmFile, { offset, lengthBytes }: FileRange): Generator<FileBlock> {
  const behind = Math.min(offset + lengthBytes, bytes.length);
  for (let at = offset; at < behind; at += BLOCK_BYTES) {
    yield { name, offset: at, data: bytes.subarray(at, Math.min(at + BLOCK_BYTES, behind)) };
  }
}

/** Blocks after the end of the file, as far as offsets reach. */
function* blocksBehind({ name, bytes }: AlarmFile): Generator<FileBlock> {
  const data = new Uint8Array(MAX_BLOCK_BYTES);
  for (let offset = bytes.length; offset + data.length <= 0xffffffff; offset += data.length)
    yield { name, offset, data };
}
