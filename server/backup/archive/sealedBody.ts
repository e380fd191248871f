// From frames to the bytes of a file, and back.
import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { guardStream } from '../../faults/streams.ts';
import {
  BLOCK_BYTES,
  BLOCK_HEADER_BYTES,
  type BlockCipher,
  BlockOpener,
  BlockSealer,
  MARK_BYTES,
  readBlockHeader,
} from './blocks.ts';
import { EXPANSION_FREE_BYTES, EXPANSION_LIMIT } from './bounds.ts';
import type { ByteReader } from './byteReader.ts';
import { ArchiveFault } from './faults.ts';
import { HASH_BYTES } from './head.ts';

/** Measured on rows of events, gzip 1 and brotli 1 are as fast and as small to within a few percent; gzip is read everywhere. */
const LEVEL = 1;
export const END_MARK = Buffer.from('FGB-END\n', 'latin1');

/** Head, blocks, end mark, hash of all before it. `write` takes one after another. `level`: of the compression. */
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
  await pipeline(frames, guardStream(createGzip({ level })), async (compressed: AsyncIterable<Buffer>) => {
    for await (const block of sealed(new BlockSealer(cipher), compressed)) await put(block);
  });
  await put(END_MARK);
  await write(hash.digest());
}

/** The last block may be empty. */
async function* sealed(sealer: BlockSealer, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    held.push(part);
    length += part.length;
    if (length < BLOCK_BYTES) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; at + BLOCK_BYTES <= length; at += BLOCK_BYTES) yield sealer.seal(all.subarray(at, at + BLOCK_BYTES), false);
    held = [all.subarray(at)];
    length -= at;
  }
  yield sealer.seal(Buffer.concat(held), true);
}

/** What is left of a file after its head. `hash` has seen the head, and is told by `reader` of what it takes. */
export interface SealedRest {
  readonly reader: ByteReader;
  readonly hash: Hash;
}

/** The frames' bytes. Ends only after the whole file has proved to be as it was written. */
export async function* readSealed(cipher: BlockCipher, rest: SealedRest): AsyncGenerator<Buffer> {
  const counted = { compressed: 0 };
  const gunzip = guardStream(createGunzip());
  const opening = pipeline(opened(new BlockOpener(cipher), rest, counted), gunzip);
  let expanded = 0;
  try {
    for await (const bytes of gunzip as AsyncIterable<Buffer>) {
      expanded += bytes.length;
      if (expanded > EXPANSION_FREE_BYTES && expanded > counted.compressed * EXPANSION_LIMIT.max) {
        throw new ArchiveFault('too-large', `${expanded} bytes in ${counted.compressed}`);
      }
      yield bytes;
    }
    await opening;
  } catch (error) {
    // What ended the blocks is the cause; what the stream makes of it says less.
    throw await opening.then(
      () => asDamage(error),
      (cause: unknown) => (error instanceof ArchiveFault ? error : asDamage(cause)),
    );
  } finally {
    gunzip.destroy();
    await opening.catch(() => undefined);
  }
}

function asDamage(error: unknown): unknown {
  const isOfZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
  return isOfZlib ? new ArchiveFault('damaged', error.message) : error;
}

async function* opened(opener: BlockOpener, rest: SealedRest, counted: { compressed: number }): AsyncGenerator<Buffer> {
  for await (const { header, sealed: block } of blocksOf(rest)) {
    counted.compressed += block.length - MARK_BYTES;
    const bytes = opener.open(header, block);
    if (bytes.length > 0) yield bytes;
  }
}

/** Reads to the end without a key. `onBlock` is told of each block. */
export async function skipSealed(rest: SealedRest, onBlock: () => void): Promise<void> {
  for await (const _ of blocksOf(rest)) onBlock();
}

interface SealedBlock {
  readonly header: Buffer;
  /** With its mark. */
  readonly sealed: Buffer;
}

/** Ends only after the file's own hash has proved right. */
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
