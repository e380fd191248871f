import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingBytes } from '../../../../../../server/recording/export/mp4/growingBytes.ts';
import { addEscapes } from '../../../../../../shared/protocol/codec/video/escapes.ts';
import { viewOf } from '../../../../../support/media/boxes.ts';

const hex = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const keepAll = (): boolean => false;

function written(accessUnit: string, isLeftOut: (header: number) => boolean = keepAll): string {
  const data = new GrowingBytes(1);
  const bytes = data.appendUnits(hex(accessUnit), isLeftOut);
  expect(bytes).toBe(data.length);
  return Buffer.from(data.take()).toString('hex');
}

/** The units of a sample: lengths of four bytes in front of each. */
function splitSample(sample: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  for (let at = 0; at < sample.length; ) {
    const length = viewOf(sample).getUint32(at);
    units.push(sample.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return units;
}

describe('pictures one behind another', () => {
  it('has lengths in place of start codes of three and of four bytes', () => {
    expect(written('00000001 6742 000001 68ce 00000001 65aabb')).toBe('00000002674200000002' + '68ce0000000365aabb');
  });

  it('leaves out zeros behind a unit, empty units and what stands in front of the first', () => {
    expect(written('ff00 000001 65aa 0000 000001 000001 00 00000001 41 000000')).toBe('0000000265aa0000000141');
  });

  it('leaves out the units that have no place in a file', () => {
    expect(written('00000001 09f0 00000001 65aa 000001 0cffff', (header) => header === 9 || header === 12)).toBe(
      '0000000265aa',
    );
  });

  it('is empty for what is no byte stream', () => {
    expect(written('')).toBe('');
    expect(written('0000')).toBe('');
    expect(written('65aabbcc')).toBe('');
  });

  it('keeps what is behind the bytes that are taken off', () => {
    const data = new GrowingBytes(2);
    data.append(hex('010203'));
    data.append(hex('0405'));
    data.drop(3);
    expect([...data.bytes]).toEqual([4, 5]);
    data.append(hex('06'));
    expect([...data.take()]).toEqual([4, 5, 6]);
  });

  it('holds every unit of any pictures', () => {
    // A unit begins with its header and ends in no zero.
    const unit = fc
      .uint8Array({ minLength: 0, maxLength: 300 })
      .map((bytes) => addEscapes(new Uint8Array([0x41, ...bytes, 0x80])));
    const startCode = fc.constantFrom([0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0, 1]);
    const picture = fc.array(fc.tuple(startCode, unit), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(picture, { maxLength: 10 }), fc.integer({ min: 1, max: 500 }), (pictures, capacity) => {
        const data = new GrowingBytes(capacity);
        for (const parts of pictures) {
          const inside = Uint8Array.from([7, 7, ...parts.flatMap(([code, bytes]) => [...code, ...bytes]), 7]);
          data.appendUnits(inside.subarray(2, -1), keepAll);
        }
        expect(splitSample(data.take()).map((bytes) => [...bytes])).toEqual(
          pictures.flatMap((parts) => parts.map(([, bytes]) => [...bytes])),
        );
      }),
    );
  });
});
