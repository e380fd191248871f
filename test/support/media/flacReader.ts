// Reads FLAC frames of one channel of 16 bits, bit by bit as RFC 9639 says, so that tests see what was written as a decoder
// does. It shares nothing with the encoder: no table, no trick.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';

export interface ReadFlacFrame {
  readonly number: number;
  readonly sampleRate: number;
  readonly subframe: 'constant' | 'verbatim' | 'fixed';
  /** Of the predictor; 0 for the other kinds. */
  readonly order: number;
  readonly wastedBits: number;
  /** Rice parameters, one for each partition. */
  readonly parameters: readonly number[];
  readonly samples: readonly number[];
}

const RATES: Readonly<Record<number, number>> = {
  4: 8_000,
  5: 16_000,
  6: 22_050,
  7: 24_000,
  8: 32_000,
  9: 44_100,
  10: 48_000,
};
/** Of the predictors: what the samples before count for, the last one first. */
const COEFFICIENTS = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]] as const;

/** Throws on whatever the format does not allow, checks included. */
export function readFlacFrame(bytes: Uint8Array): ReadFlacFrame {
  const from = new BitReader(bytes);
  const { number, sampleRate, count } = readHeader(from, bytes);
  same(from.bits(1), 0, 'bit in front of a subframe');
  const type = from.bits(6);
  const wastedBits = from.bits(1) === 1 ? 1 + zeros(from) : 0;
  const width = 16 - wastedBits;
  const read = readSamples(from, type, { count, width });
  while (from.position % 8 !== 0) same(from.bits(1), 0, 'padding bit');
  const end = from.position / 8;
  same(from.bits(16), remainder(bytes.subarray(0, end), 0x8005, 16), 'CRC-16');
  same(from.position, bytes.length * 8, 'end');
  if (from.overrun) throw new Error('the frame is short');
  const samples = read.samples.map((sample) => sample * 2 ** wastedBits);
  return { number, sampleRate, wastedBits, ...read, samples };
}

function readHeader(from: BitReader, bytes: Uint8Array): { number: number; sampleRate: number; count: number } {
  same(from.bits(14), 0x3ffe, 'sync code');
  same(from.bits(2), 0, 'reserved bit or blocking strategy');
  const blockCode = from.bits(4);
  const rateCode = from.bits(4);
  same(from.bits(4), 0, 'channel assignment');
  same(from.bits(3), 4, 'bit depth');
  same(from.bits(1), 0, 'reserved bit');
  const number = readCodedNumber(from);
  const count = readBlockSize(from, blockCode);
  const sampleRate = rateCode === 13 ? from.bits(16) : RATES[rateCode];
  if (sampleRate === undefined) throw new Error(`rate code ${rateCode}`);
  const end = from.position / 8;
  same(from.bits(8), remainder(bytes.subarray(0, end), 0x07, 8), 'CRC-8');
  return { number, sampleRate, count };
}

function readBlockSize(from: BitReader, code: number): number {
  if (code === 6) return from.bits(8) + 1;
  if (code === 7) return from.bits(16) + 1;
  if (code < 8) throw new Error(`block size code ${code}`);
  return 2 ** code;
}

function readCodedNumber(from: BitReader): number {
  let ones = 0;
  while (from.bits(1) === 1) ones++;
  if (ones === 0) return from.bits(7);
  let number = ones === 7 ? 0 : from.bits(7 - ones);
  for (let index = 1; index < ones; index++) {
    same(from.bits(2), 2, 'start of a byte that goes on');
    number = number * 64 + from.bits(6);
  }
  return number;
}

type Subframe = Pick<ReadFlacFrame, 'subframe' | 'order' | 'parameters' | 'samples'>;

function readSamples(from: BitReader, type: number, { count, width }: { count: number; width: number }): Subframe {
  const plain = { order: 0, parameters: [] };
  const some = (length: number): number[] => Array.from({ length }, () => signed(from.bits(width), width));
  if (type === 0) return { ...plain, subframe: 'constant', samples: new Array<number>(count).fill(some(1)[0] ?? 0) };
  if (type === 1) return { ...plain, subframe: 'verbatim', samples: some(count) };
  const order = type - 8;
  const coefficients = COEFFICIENTS[order];
  if (coefficients === undefined) throw new Error(`subframe type ${type}`);
  const samples = some(order);
  const { residual, parameters } = readResidual(from, count, order);
  for (const left of residual) {
    const expected = coefficients.reduce((sum, factor, back) => sum + factor * (samples.at(-1 - back) ?? 0), 0);
    samples.push(expected + left);
  }
  return { subframe: 'fixed', order, parameters, samples };
}

function readResidual(from: BitReader, count: number, order: number): { residual: number[]; parameters: number[] } {
  same(from.bits(2), 0, 'coding method');
  const partitions = 2 ** from.bits(4);
  if (count % partitions !== 0 || count / partitions <= order) throw new Error(`${partitions} partitions of ${count}`);
  const residual: number[] = [];
  const parameters: number[] = [];
  for (let partition = 0; partition < partitions; partition++) {
    const parameter = from.bits(4);
    if (parameter === 15) throw new Error('an escape code');
    parameters.push(parameter);
    for (let left = count / partitions - (partition === 0 ? order : 0); left > 0; left--) {
      const folded = zeros(from) * 2 ** parameter + from.bits(parameter);
      residual.push(folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);
    }
  }
  return { residual, parameters };
}

function zeros(from: BitReader): number {
  let count = 0;
  while (from.bits(1) === 0) {
    count++;
    if (from.overrun) throw new Error('the frame is short');
  }
  return count;
}

function signed(value: number, width: number): number {
  return value >= 2 ** (width - 1) ? value - 2 ** width : value;
}

/** Of a division of bits by bits. */
function remainder(bytes: Uint8Array, polynomial: number, width: number): number {
  let rest = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = (rest >> (width - 1)) & 1;
      rest = ((rest << 1) | 0) & (2 ** width - 1);
      if ((top ^ ((byte >> bit) & 1)) === 1) rest ^= polynomial;
    }
  }
  return rest;
}

function same(found: number, expected: number, what: string): void {
  if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`);
}
