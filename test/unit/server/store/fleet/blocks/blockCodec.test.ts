import { brotliCompressSync, crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeBlock,
  LINE_COLUMNS,
  MAX_BLOCK_POSITIONS,
  positionsOf,
  readBlock,
  readLine,
} from '../../../../../../server/store/fleet/blocks/blockCodec.ts';
import { ByteWriter } from '../../../../../../server/store/fleet/blocks/bytes.ts';
import { factOfItems } from '../../../../../../server/store/fleet/blocks/itemFacts.ts';
import { FACTS, type StoredPosition } from '../../../../../../server/store/fleet/blocks/storedPosition.ts';
import { anyStoredPosition, drivenPositions } from '../../../../../support/storedPositions.ts';

/** A fact that nobody said is read from the items. */
function withFacts(position: StoredPosition): StoredPosition {
  const items = JSON.parse(position.extra) as Record<string, unknown>;
  const facts = FACTS.map((fact) => [fact, Number.isNaN(position[fact]) ? factOfItems(items, fact) : position[fact]]);
  return Object.assign({}, position, Object.fromEntries(facts)) as StoredPosition;
}

async function comeBack(positions: readonly StoredPosition[]): Promise<void> {
  const opened = await readBlock(await encodeBlock(positions));
  if (!opened.ok) throw new Error(opened.why);
  // `toStrictEqual` tells 0 from -0.
  expect(positionsOf(opened.value)).toStrictEqual(positions.map(withFacts));
}

describe('a block of positions', () => {
  it('gives back every position to the bit, whatever it has', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyStoredPosition, { maxLength: 60 }), comeBack));
  });

  it('takes as many as a block may have', async () => {
    await comeBack(drivenPositions(MAX_BLOCK_POSITIONS));
  });

  it('takes none', async () => {
    await comeBack([]);
  });

  it('keeps the sign of 0, times beyond all calendars and the largest numbers', async () => {
    const [driven] = drivenPositions(1);
    if (driven === undefined) throw new Error('there is one');
    const odd = [
      -0,
      0,
      5e-324,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      -(2 ** 53),
      0.1,
    ];
    await comeBack(odd.map((value) => ({ ...driven, latitude: value, deviceTimeMs: value, receivedAtMs: 7 })));
  });

  it('needs at most 25 bytes for a position of a driving vehicle', async () => {
    const data = await encodeBlock(drivenPositions(MAX_BLOCK_POSITIONS));
    expect(data.length / MAX_BLOCK_POSITIONS).toBeLessThan(12);
    const few = await encodeBlock(drivenPositions(100));
    expect(few.length / 100).toBeLessThan(25);
  });

  it('gives of what a line needs what is asked for, without the rest', async () => {
    // Some that are no whole numbers lie among those of each column.
    const positions = drivenPositions(300).map((each, at) =>
      at % 7 === 3 ? { ...each, altitudeM: 0.3, id: 0.7 } : each,
    );
    const data = await encodeBlock(positions);
    const columns = LINE_COLUMNS.map(([column]) => column);
    await fc.assert(
      fc.asyncProperty(fc.subarray(columns), async (names) => {
        const opened = await readLine(data, names);
        if (!opened.ok) throw new Error(opened.why);
        const expected = names.map((name) => [name, Float64Array.from(positions, (each) => each[name])] as const);
        expect(opened.value).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it('says that it is corrupt, wherever a byte is another or is missing', async () => {
    const data = await encodeBlock(drivenPositions(50));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: data.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const broken = Buffer.from(data);
        broken[at] = (broken[at] ?? 0) ^ change;
        expect((await readBlock(broken)).ok).toBe(false);
        expect((await readBlock(data.subarray(0, at))).ok).toBe(false);
      }),
    );
  });

  it('is a value whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await readBlock(bytes)).ok).toBe(false);
      }),
    );
  });

  it('is a value also where its sum agrees with what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 9 }), fc.uint8Array(), fc.uint8Array(), async (count, line, rest) => {
        const parts = [brotliCompressSync(line), brotliCompressSync(rest)] as const;
        const to = new ByteWriter();
        for (const value of [1, count, parts[0].length, crc32(parts[1], crc32(parts[0]))]) to.varint(value);
        for (const part of parts) to.bytes(part);
        const opened = await readBlock(to.written);
        if (opened.ok) expect(positionsOf(opened.value)).toHaveLength(count);
      }),
    );
  });
});
