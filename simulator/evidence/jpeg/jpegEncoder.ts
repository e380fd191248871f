// Baseline JPEG (ITU-T T.81, JFIF) of the pictures that the demo's cameras see. All three planes share one table of each
// kind: these are drawings of flat colours, and what that costs is a few per cent. Each shows its camera and moment, as no
// prepared picture could, and a package would be needed for the demo alone.
import type { Picture } from '../../clip/planes.ts';
import { BLOCK_SAMPLES, BLOCK_SIDE, transform } from './cosineTransform.ts';
import { EntropyBits } from './entropyBits.ts';
import { AC_TABLE, DC_TABLE, type HuffmanTable } from './huffman.ts';

/** Example table for luminance of annex K.1, row by row: the quantisation of quality 50. */
const QUANTISATION = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];
const ZIGZAG = zigzag();

interface Plane {
  readonly samples: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** From limited range to the full one of JPEG pictures, around 0. */
  readonly levels: Float64Array;
  /** Blocks of a unit in each direction: 2 of luma, 1 of colour. */
  readonly blocks: number;
}

/** `quality` 1 to 100. */
export function encodeJpeg(picture: Picture, quality: number): Uint8Array {
  const divisors = divisorsOf(quality);
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...ZIGZAG.map((at) => divisors[at] ?? 1)]),
    ...segment(0xc0, [8, ...u16(picture.height), ...u16(picture.width), 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]),
    ...segment(0xc4, [...tableBytes(0x00, DC_TABLE), ...tableBytes(0x10, AC_TABLE)]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
  ];
  return Uint8Array.from([...head, ...encodeScan(picture, divisors), 0xff, 0xd9]);
}

function encodeScan(picture: Picture, divisors: readonly number[]): readonly number[] {
  const bits = new EntropyBits();
  const planes = planesOf(picture);
  const latest = planes.map(() => 0);
  const [columns, rows] = [Math.ceil(picture.width / 16), Math.ceil(picture.height / 16)];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (const [index, plane] of planes.entries()) {
        for (let block = 0; block < plane.blocks ** 2; block++) {
          const x = column * plane.blocks + (block % plane.blocks);
          const y = row * plane.blocks + Math.floor(block / plane.blocks);
          readBlock(plane, x, y);
          quantise(divisors);
          writeBlock(bits, latest[index] ?? 0);
          latest[index] = values[0] ?? 0;
        }
      }
    }
  }
  return bits.finish();
}

function planesOf({ width, height, luma, blue, red }: Picture): readonly Plane[] {
  const colour = { width: width / 2, height: height / 2, levels: levelsOf(128, 224, 0), blocks: 1 };
  return [
    { samples: luma, width, height, levels: levelsOf(16, 219, -128), blocks: 2 },
    { samples: blue, ...colour },
    { samples: red, ...colour },
  ];
}

function levelsOf(zero: number, range: number, shift: number): Float64Array {
  return Float64Array.from({ length: 256 }, (_, sample) => {
    const level = ((sample - zero) * 255) / range + shift;
    return Math.min(127, Math.max(-128, level));
  });
}

const samples = new Float64Array(BLOCK_SAMPLES);
const coefficients = new Float64Array(BLOCK_SAMPLES);
/** In the order of the zigzag. */
const values = new Int16Array(BLOCK_SAMPLES);

/** Beyond the picture's edge its last row and column go on. */
function readBlock(plane: Plane, column: number, row: number): void {
  for (let at = 0; at < BLOCK_SAMPLES; at++) {
    const x = Math.min(plane.width - 1, column * BLOCK_SIDE + (at % BLOCK_SIDE));
    const y = Math.min(plane.height - 1, row * BLOCK_SIDE + Math.floor(at / BLOCK_SIDE));
    samples[at] = plane.levels[plane.samples[y * plane.width + x] ?? 0] ?? 0;
  }
}

function quantise(divisors: readonly number[]): void {
  transform(samples, coefficients);
  for (let index = 0; index < BLOCK_SAMPLES; index++) {
    const at = ZIGZAG[index] ?? 0;
    values[index] = Math.round((coefficients[at] ?? 0) / (divisors[at] ?? 1));
  }
}

const END_OF_BLOCK = 0x00;
const SIXTEEN_ZEROS = 0xf0;

function writeBlock(bits: EntropyBits, latestDc: number): void {
  writeValue(bits, DC_TABLE, 0, (values[0] ?? 0) - latestDc);
  let zeros = 0;
  for (let index = 1; index < BLOCK_SAMPLES; index++) {
    const value = values[index] ?? 0;
    if (value === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) writeSymbol(bits, AC_TABLE, SIXTEEN_ZEROS);
    writeValue(bits, AC_TABLE, zeros, value);
    zeros = 0;
  }
  if (zeros > 0) writeSymbol(bits, AC_TABLE, END_OF_BLOCK);
}

/** The number of its bits, and then these; of a number below 0 those of the number before it. */
function writeValue(bits: EntropyBits, table: HuffmanTable, zeros: number, value: number): void {
  const size = 32 - Math.clz32(Math.abs(value));
  writeSymbol(bits, table, (zeros << 4) | size);
  if (size > 0) bits.write(value < 0 ? value - 1 : value, size);
}

function writeSymbol(bits: EntropyBits, { codes, lengths }: HuffmanTable, symbol: number): void {
  bits.write(codes[symbol] ?? 0, lengths[symbol] ?? 0);
}

/** The scale by which the Independent JPEG Group's library counts quality. */
function divisorsOf(quality: number): readonly number[] {
  const percent = quality < 50 ? 5_000 / quality : 200 - 2 * quality;
  return QUANTISATION.map((value) => Math.min(255, Math.max(1, Math.round((value * percent) / 100))));
}

function segment(marker: number, content: readonly number[]): number[] {
  return [0xff, marker, ...u16(content.length + 2), ...content];
}

function tableBytes(id: number, { counts, symbols }: HuffmanTable): number[] {
  return [id, ...counts, ...symbols];
}

function u16(value: number): [number, number] {
  return [value >>> 8, value & 0xff];
}

/** Diagonal by diagonal from the top left, each in the other direction than the one before. */
function zigzag(): readonly number[] {
  const places = Array.from({ length: BLOCK_SAMPLES }, (_, at) => ({
    at,
    diagonal: Math.floor(at / BLOCK_SIDE) + (at % BLOCK_SIDE),
    row: Math.floor(at / BLOCK_SIDE),
  }));
  return places
    .sort((left, right) => {
      const order = left.diagonal - right.diagonal || left.row - right.row;
      return left.diagonal === right.diagonal && left.diagonal % 2 === 0 ? -order : order;
    })
    .map(({ at }) => at);
}
