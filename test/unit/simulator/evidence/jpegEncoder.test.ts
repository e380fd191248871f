import { describe, expect, it } from 'vitest';
import { colour, createPicture, fillBox } from '../../../../simulator/clip/planes.ts';
import { BLOCK_SAMPLES, transform } from '../../../../simulator/evidence/jpeg/cosineTransform.ts';
import { EntropyBits } from '../../../../simulator/evidence/jpeg/entropyBits.ts';
import { AC_TABLE, DC_TABLE } from '../../../../simulator/evidence/jpeg/huffman.ts';
import { encodeJpeg } from '../../../../simulator/evidence/jpeg/jpegEncoder.ts';

describe('the codes', () => {
  it('are the example tables of the standard', () => {
    const codeOf = ({ codes, lengths }: typeof DC_TABLE, symbol: number): string =>
      (codes[symbol] ?? 0).toString(2).padStart(lengths[symbol] ?? 0, '0');
    expect([0, 1, 5, 11].map((size) => codeOf(DC_TABLE, size))).toEqual(['00', '010', '110', '111111110']);
    expect([0x00, 0x01, 0x11, 0xf0, 0xfa].map((symbol) => codeOf(AC_TABLE, symbol))).toEqual([
      '1010',
      '00',
      '1100',
      '11111111001',
      '1111111111111110',
    ]);
    expect(AC_TABLE.symbols).toHaveLength(162);
  });
});

describe('the transform', () => {
  const of = (sampleAt: (x: number, y: number) => number): Float64Array => {
    const coefficients = new Float64Array(BLOCK_SAMPLES);
    transform(
      Float64Array.from({ length: BLOCK_SAMPLES }, (_, at) => sampleAt(at % 8, at >> 3)),
      coefficients,
    );
    return coefficients;
  };

  it('of a flat block has one coefficient, of a wave the one of its frequency', () => {
    expect([...of(() => -30)]).toEqual([-240, ...new Array(63).fill(0)]);
    const wave = of((x) => 50 * Math.cos(((2 * x + 1) * 3 * Math.PI) / 16));
    expect(wave[3]).toBeCloseTo(200 * Math.SQRT2, 6);
    expect(wave.filter((value) => Math.abs(value) > 1e-9)).toHaveLength(1);
    const rows = of((_, y) => 50 * Math.cos(((2 * y + 1) * 2 * Math.PI) / 16));
    expect(rows.findIndex((value) => Math.abs(value) > 1e-9)).toBe(16);
  });
});

it('bits are filled up with ones, and a byte of ones gets a zero behind it', () => {
  const bits = new EntropyBits();
  bits.write(0b101, 3);
  bits.write(0xffff, 16);
  bits.write(-2, 2);
  expect(bits.finish()).toEqual([0b10111111, 0xff, 0x00, 0b11110111]);
});

describe('a picture', () => {
  const picture = createPicture(20, 10);
  fillBox(picture, { x: 0, y: 0, width: 20, height: 10 }, colour(10, 200, 30));

  it('is a JFIF file of its size, with two samples of luma to one of colour', () => {
    const bytes = Buffer.from(encodeJpeg(picture, 80));
    expect(bytes.subarray(0, 11).toString('latin1')).toBe('\xff\xd8\xff\xe0\x00\x10JFIF\x00');
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    expect([...bytes.subarray(frame, frame + 19)]).toEqual([
      0xff, 0xc0, 0, 17, 8, 0, 10, 0, 20, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0,
    ]);
    expect([...bytes.subarray(-2)]).toEqual([0xff, 0xd9]);
  });

  it('is the same each time, and smaller where it may be worse', () => {
    for (let x = 0; x < 20; x += 3) fillBox(picture, { x, y: x / 3, width: 2, height: 3 }, colour(250, 20 * x, 9));
    const [good, bad] = [encodeJpeg(picture, 95), encodeJpeg(picture, 20)];
    expect(encodeJpeg(picture, 95)).toEqual(good);
    expect(bad.length).toBeLessThan(good.length);
  });
});
