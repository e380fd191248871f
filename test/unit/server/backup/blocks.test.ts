import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_HEADER_BYTES,
  type BlockCipher,
  BlockOpener,
  BlockSealer,
} from '../../../../server/backup/archive/blocks.ts';

const HEAD = Buffer.from('head');
const CIPHERS: readonly (readonly [string, BlockCipher])[] = [
  ['encrypted', { key: randomBytes(32), noncePrefix: randomBytes(7), head: HEAD }],
  ['not encrypted', { key: undefined, noncePrefix: Buffer.alloc(0), head: HEAD }],
];

function seal(cipher: BlockCipher, parts: readonly Uint8Array[]): Buffer[] {
  const sealer = new BlockSealer(cipher);
  return parts.map((part, at) => sealer.seal(Buffer.from(part), at === parts.length - 1));
}

/** The bytes of all, or undefined when one of them is not in its place. */
function open(cipher: BlockCipher, blocks: readonly Buffer[]): Buffer | undefined {
  const opener = new BlockOpener(cipher);
  try {
    return Buffer.concat(
      blocks.map((block) => opener.open(block.subarray(0, BLOCK_HEADER_BYTES), block.subarray(BLOCK_HEADER_BYTES))),
    );
  } catch {
    return undefined;
  }
}

const parts = fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 2, maxLength: 8 });

describe.each(CIPHERS)('blocks that are %s', (_name, cipher) => {
  it('open in their order', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(open(cipher, seal(cipher, given))).toEqual(Buffer.concat(given));
      }),
    );
  });

  it('open in no other order, and none twice', () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.nat(), (given, from, to) => {
        const blocks = seal(cipher, given);
        const [a, b] = [from % blocks.length, to % blocks.length];
        const swapped = blocks.map((block, at) => (at === a ? blocks[b] : at === b ? blocks[a] : block) as Buffer);
        if (a !== b) expect(open(cipher, swapped)).toBeUndefined();
        expect(open(cipher, [...blocks.slice(0, a + 1), ...blocks.slice(a)])).toBeUndefined();
        const without = blocks.filter((_, at) => at !== a);
        if (a < blocks.length - 1) expect(open(cipher, without)).toBeUndefined();
      }),
    );
  });

  it('do not open with one bit changed', () => {
    fc.assert(
      fc.property(parts, fc.nat(), (given, place) => {
        const blocks = seal(cipher, given);
        const [first] = blocks as [Buffer];
        // A length that is another takes other bytes from the file.
        const at = (place % (first.length - BLOCK_HEADER_BYTES)) + BLOCK_HEADER_BYTES;
        first[at] = (first[at] ?? 0) ^ 1;
        expect(open(cipher, blocks)).toBeUndefined();
      }),
    );
  });

  it('are bound to their head', () => {
    expect(open({ ...cipher, head: Buffer.from('tail') }, seal(cipher, [Buffer.from('a')]))).toBeUndefined();
  });
});
