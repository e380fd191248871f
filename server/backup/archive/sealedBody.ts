// From frames to the bytes of a file, and back.
//
// The calling thread, whose priority is low, compresses and expands: zlib's streams run in the thread pool of the process, which has the
// priority of video.
import { createHash, type Hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  BLOCK_HEADER_BYTES,
  type BlockCipher,
  BlockOpener,
  BlockSealer,
  MARK_BYTES,
  PIECE_BYTES,
  readBlockHeader,
} from './blocks.ts';
import { EXPANSION_FREE_BYTES, EXPANSION_LIMIT } from './bounds.ts';
import type { ByteReader } from './byteReader.ts';
import { ArchiveFault } from './faults.ts';
import { HASH_BYTES } from './head.ts';

/** On rows of events, gzip 1 and brotli 1 were measured to be within a few percent in speed and size; gzip is readable everywhere. */
const LEVEL = 1;
/** With its default of 16 KiB, zlib would make sixty chunks of a piece. */
const CHUNK_BYTES = 256 * 1024;
export const END_MARK = Buffer.from('FGB-END\n', 'latin1');

/** Writes head, blocks, end mark, and the hash of all before it. `write` gets one after another. `level`: of the compression. */
export async function writeSealed(
  cipher: BlockCipher,
  frames: AsyncIterable<Buffer>,
  write: (bytes: Buffer) => Promise<void>,
  level = LEVEL,
): Promise<void> {
  const hash = createHash('sha256');
  const put = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes);
    await write(bytes);
  };
  await put(cipher.head);
  for await (const block of sealed(new BlockSealer(cipher), frames, level)) await put(block);
  await put(END_MARK);
  await write(hash.digest());
}

/** The last block may be empty. */
async function* sealed(sealer: BlockSealer, frames: AsyncIterable<Buffer>, level: number): AsyncGenerator<Buffer> {
  const seal = (piece: Buffer, isLast: boolean): Buffer =>
    sealer.seal(gzipSync(piece, { level, chunkSize: CHUNK_BYTES }), isLast);
  let held: Buffer[] = [];
  let length = 0;
  for await (const part of frames) {
    held.push(part);
    length += part.length;
    if (length < PIECE_BYTES) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; at + PIECE_BYTES <= length; at += PIECE_BYTES) yield seal(all.subarray(at, at + PIECE_BYTES), false);
    held = [all.subarray(at)];
    length -= at;
  }
  yield seal(Buffer.concat(held), true);
}

/** The rest of a file after its head. `hash` has seen the head, and gets the bytes that `reader` takes. */
export interface SealedRest {
  readonly reader: ByteReader;
  readonly hash: Hash;
}

/** The frames' bytes. Ends only after the whole file has proved to be unchanged. */
export async function* readSealed(cipher: BlockCipher, rest: SealedRest): AsyncGenerator<Buffer> {
  let compressed = 0;
  let expanded = 0;
  for await (const block of opened(new BlockOpener(cipher), rest)) {
    const bytes = expand(block);
    compressed += block.length;
    expanded += bytes.length;
    if (expanded > EXPANSION_FREE_BYTES && expanded > compressed * EXPANSION_LIMIT.max) {
      throw new ArchiveFault('too-large', `${expanded} bytes in ${compressed}`);
    }
    if (bytes.length > 0) yield bytes;
  }
}

function expand(block: Buffer): Buffer {
  try {
    return gunzipSync(block, { chunkSize: CHUNK_BYTES, maxOutputLength: PIECE_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new ArchiveFault(isTooLarge ? 'too-large' : 'damaged', `a block: ${String(error)}`);
  }
}

async function* opened(opener: BlockOpener, rest: SealedRest): AsyncGenerator<Buffer> {
  for await (const { header, sealed: block } of blocksOf(rest)) yield opener.open(header, block);
}

/** Reads to the end without a key. `onBlock` is called for each block. */
export async function skipSealed(rest: SealedRest, onBlock: () => void): Promise<void> {
  for await (const _ of blocksOf(rest)) onBlock();
}

interface SealedBlock {
  readonly header: Buffer;
  /** Bytes of the block with its mark. */
  readonly sealed: Buffer;
}

/** Ends only after the file's own hash has been confirmed. */
async function* blocksOf({ reader, hash }: SealedRest): AsyncGenerator<SealedBlock> {
  for (;;) {
    const header = await reader.take(BLOCK_HEADER_BYTES);
    const { length, isLast } = readBlockHeader(header);
    yield { header, sealed: await reader.take(length + MARK_BYTES) };
    if (isLast) break;
  }
  if (!(await reader.take(END_MARK.length)).equals(END_MARK)) throw new ArchiveFault('damaged', 'no end mark');
  const expected = hash.copy().digest();
  if (!(await reader.take(HASH_BYTES)).equals(expected)) throw new ArchiveFault('damaged', 'the file has another hash');
  if (!(await reader.isAtEnd())) throw new ArchiveFault('damaged', 'bytes after the end');
}
