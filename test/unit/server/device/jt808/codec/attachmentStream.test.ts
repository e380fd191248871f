import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttachmentEvent,
  AttachmentSplitter,
  encodeBlock,
  MAX_BLOCK_BYTES,
} from '../../../../../../server/device/jt808/codec/attachmentStream.ts';
import { encodeFrame, FrameSplitter } from '../../../../../../server/device/jt808/codec/frame.ts';
import { chunkSizes, chunksOf, concat } from '../../chunks.ts';
import { ofHex } from './vectors.ts';

const FRAME = encodeFrame(ofHex('000200000000000006780001'));
const BLOCK = { name: 'a.jpg', offset: 0, data: ofHex('ffd8ff') };

/** But for those that no message has: they begin like a block. */
const frame = fc
  .uint8Array({ minLength: 12, maxLength: 1044 })
  .filter(([first, second]) => first !== 0x30 || second !== 0x31);
const block = fc.record({
  name: fc.constantFrom('', 'a.jpg', '报警.txt', 'x'.repeat(50)),
  offset: fc.integer({ min: 0, max: 0xffffffff }),
  data: fc.uint8Array({ maxLength: 2000 }),
});
const sent = fc.oneof(
  frame.map((bytes) => ({ kind: 'frame' as const, bytes })),
  block.map((fields) => ({ kind: 'block' as const, ...fields })),
);

function wireOf(event: typeof sent extends fc.Arbitrary<infer Sent> ? Sent : never): Uint8Array {
  return event.kind === 'frame' ? encodeFrame(event.bytes) : encodeBlock(event);
}

function read(chunks: readonly Uint8Array[]): AttachmentEvent[] {
  const splitter = new AttachmentSplitter();
  return chunks.flatMap((chunk) => splitter.push(chunk));
}

describe('frames and blocks on one connection', () => {
  it('come back whatever they hold and however they are cut', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 8 }), chunkSizes, (events, sizes) => {
        expect(read(chunksOf(concat(events.map(wireOf)), sizes))).toEqual(events);
      }),
    );
  });

  it('between other bytes are read the same however they are cut', () => {
    const special = fc.constantFrom(0x7e, 0x7d, 0, 1, 2, 0x30, 0x31, 0x63, 0x64);
    const noise = fc.array(fc.oneof({ weight: 4, arbitrary: special }, fc.integer({ min: 0, max: 255 })), {
      maxLength: 300,
    });
    const pieces = fc.array(
      fc.oneof(
        noise.map((bytes) => Uint8Array.from(bytes)),
        sent.map(wireOf),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(pieces, chunkSizes, (parts, sizes) => {
        const bytes = concat(parts);
        expect(read(chunksOf(bytes, sizes))).toEqual(read([bytes]));
      }),
    );
  });

  it('without blocks give the frames that a signalling connection gives', () => {
    const noise = fc.array(fc.oneof(fc.constantFrom(0x7e, 0x7d, 1, 2), fc.integer({ min: 0x32, max: 255 })), {
      maxLength: 100,
    });
    const pieces = fc.array(
      fc.oneof(
        noise.map((bytes) => Uint8Array.from(bytes)),
        frame.map(encodeFrame),
      ),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const bytes = concat(parts);
        // A block that chance makes: its magic number has no byte that is escaped.
        fc.pre(!Buffer.from(bytes).includes('01cd'));
        const frames = read([bytes]).filter(({ kind }) => kind === 'frame');
        expect(frames).toEqual(new FrameSplitter().push(bytes).filter(({ kind }) => kind === 'frame'));
      }),
    );
  });
});

describe('blocks', () => {
  const largest = { name: 'a.mp4', offset: 65_536, data: new Uint8Array(MAX_BLOCK_BYTES).fill(0x7e) };

  it('have up to 65,536 bytes', () => {
    const bytes = encodeBlock(largest);
    for (const chunkBytes of [1, 1000, 65_536, 1_000_000]) {
      const events = read(chunksOf(bytes, [chunkBytes]));
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({ kind: 'block', name: 'a.mp4', offset: 65_536 });
      expect(events[0]?.kind === 'block' && Buffer.compare(events[0].data, largest.data)).toBe(0);
    }
  });

  it('are given away: what comes next does not change them', () => {
    const splitter = new AttachmentSplitter();
    const [first] = chunksOf(encodeBlock(BLOCK), [40]).flatMap((chunk) => splitter.push(chunk));
    for (const chunk of chunksOf(encodeBlock(largest), [100])) splitter.push(chunk);
    expect(first).toEqual({ kind: 'block', ...BLOCK });
  });

  it('that do not fit are not built', () => {
    const wrong = [
      { name: 'x'.repeat(51) },
      { name: '报'.repeat(26) },
      { data: new Uint8Array(MAX_BLOCK_BYTES + 1) },
      { offset: 0x1_0000_0000 },
      { offset: -1 },
      { offset: 0.5 },
    ];
    for (const each of wrong) expect(() => encodeBlock({ ...BLOCK, ...each })).toThrow(RangeError);
  });
});

describe('what never ends', () => {
  const after = [FRAME, encodeBlock(BLOCK)];
  const told = (chunks: readonly Uint8Array[]): string[] =>
    read(chunks).map((event) => (event.kind === 'broken' ? event.reason : event.kind));
  const million = (hex: string): Uint8Array[] =>
    Array.from({ length: 1000 }, () => new Uint8Array(1000).fill(parseInt(hex, 16)));

  it('is told once: bytes that belong to nothing', () => {
    expect(told([...million('00'), ...after])).toEqual(['resync', 'frame', 'block']);
  });

  it('is told once: a frame without an end', () => {
    expect(told([ofHex('7e'), ...million('00'), ...after])).toEqual(['overrun', 'frame', 'block']);
  });

  it('hides no block: a frame without an end, with a block in it or behind it', () => {
    const block = encodeBlock({ ...BLOCK, data: new Uint8Array(5000) });
    expect(told([ofHex('7e00'), block, ...after])).toEqual(['overrun', 'block', 'frame', 'block']);
    expect(told([ofHex('7e'), new Uint8Array(4095), block, ...after])).toEqual(['overrun', 'block', 'frame', 'block']);
  });

  it('is no content at all: delimiters', () => {
    expect(told([...million('7e'), ...after])).toEqual(['frame', 'block']);
  });
});
