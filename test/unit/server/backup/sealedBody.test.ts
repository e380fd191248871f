import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockSealer, PIECE_BYTES } from '../../../../server/backup/archive/blocks.ts';
import { ByteReader } from '../../../../server/backup/archive/byteReader.ts';
import { END_MARK, readSealed, writeSealed } from '../../../../server/backup/archive/sealedBody.ts';

const HEAD = Buffer.from('head');
const CIPHER = { key: randomBytes(32), noncePrefix: randomBytes(7), head: HEAD };

async function* each(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

async function write(parts: readonly Buffer[]): Promise<Buffer> {
  const written: Buffer[] = [];
  await writeSealed(CIPHER, each(parts), async (bytes) => void written.push(bytes));
  return Buffer.concat(written);
}

async function read(file: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  const reader = new ByteReader(each([file]), (taken) => hash.update(taken));
  await reader.take(HEAD.length);
  const parts: Buffer[] = [];
  for await (const part of readSealed(CIPHER, { reader, hash })) parts.push(part);
  return Buffer.concat(parts);
}

/** A file of one block that holds what no writer of ours puts there. */
function fileWith(block: Buffer): Buffer {
  const content = Buffer.concat([HEAD, new BlockSealer(CIPHER).seal(block, true), END_MARK]);
  return Buffer.concat([content, createHash('sha256').update(content).digest()]);
}

describe('the body of an archive', () => {
  it('gives the bytes that were written, however they were cut', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 2 * PIECE_BYTES + 3 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        const parts = given.map((size) => randomBytes(size));
        expect((await read(await write(parts))).equals(Buffer.concat(parts))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['empty', 0],
    ['a piece exactly', PIECE_BYTES],
    ['a byte more than a piece', PIECE_BYTES + 1],
  ])('may be %s', async (_name, size) => {
    const bytes = randomBytes(size);
    expect((await read(await write([bytes]))).equals(bytes)).toBe(true);
  });

  it('refuses a block that holds more than a piece before it is held', async () => {
    expect((await read(fileWith(gzipSync(Buffer.alloc(PIECE_BYTES))))).length).toBe(PIECE_BYTES);
    await expect(read(fileWith(gzipSync(Buffer.alloc(PIECE_BYTES + 1))))).rejects.toMatchObject({ fault: 'too-large' });
  });

  it('refuses a block that is not compressed as it should be, though its mark is right', async () => {
    const whole = gzipSync(Buffer.from('rows'));
    for (const block of [Buffer.alloc(0), Buffer.from('rows'), whole.subarray(0, -1)]) {
      await expect(read(fileWith(block))).rejects.toMatchObject({ fault: 'damaged' });
    }
  });
});
