// FLAC (RFC 9639) of one channel of 16 bits: what was recorded, to the bit, in about half the room. One block is one frame;
// only the fixed predictors are used, whose coefficients need not be computed.
import { crc8, crc16 } from './crc.ts';
import { chooseOrder, takeResidual } from './fixedPredictor.ts';
import { FrameBits } from './frameBits.ts';
import { foldAndSum, maxPartitionOrder, PARAMETER_BITS, planRice, type RicePlan } from './ricePlan.ts';

/** Of all frames but the last, which may have fewer: a quarter of a second of telephone sound. */
export const FLAC_BLOCK_SAMPLES = 2048;
/** A 16 bit field of a frame's header holds it. */
const MAX_FLAC_RATE = 65_535;

const SAMPLE_BITS = 16;
const BLOCK_2048 = 11;
const BLOCK_IN_16_BITS = 7;
const RATE_IN_16_BITS = 13;
const RATE_CODES: Readonly<Record<number, number>> = {
  8000: 4,
  16000: 5,
  22050: 6,
  24000: 7,
  32000: 8,
  44100: 9,
  48000: 10,
};
const MONO = 0;
const SAMPLES_OF_16_BITS = 4;
/** Sync code of 14 bits, a reserved bit, and blocks of one size. */
const FRAME_START = 0xfff8;
const Subframe = { Constant: 0, Verbatim: 1, Fixed: 8 } as const;
/** Below it a predictor's first samples and parameters would cost more than they save. */
const MIN_PREDICTED_SAMPLES = 32;
/** Of a frame apart from its samples: header, subframe header, parameters, checks. */
const HEAD_BYTES = 64;

export class FlacEncoder {
  readonly #sampleRate: number;
  readonly #bits = new FrameBits(FLAC_BLOCK_SAMPLES * 3 + HEAD_BYTES);
  readonly #samples = new Int32Array(FLAC_BLOCK_SAMPLES);
  readonly #residual = new Int32Array(FLAC_BLOCK_SAMPLES);
  #frames = 0;

  /** At most `MAX_FLAC_RATE`, a whole number. */
  constructor(sampleRate: number) {
    if (!Number.isInteger(sampleRate) || sampleRate <= 0 || sampleRate > MAX_FLAC_RATE) {
      throw new RangeError(`FLAC at ${sampleRate} samples a second`);
    }
    this.#sampleRate = sampleRate;
  }

  /** The next frame. `FLAC_BLOCK_SAMPLES` samples, or at the end fewer, but one at least. */
  encode(block: Int16Array): Uint8Array<ArrayBuffer> {
    if (block.length === 0 || block.length > FLAC_BLOCK_SAMPLES)
      throw new RangeError(`${block.length} samples a block`);
    this.#bits.clear();
    this.#writeHeader(block.length);
    this.#writeSubframe(block);
    this.#bits.bits(crc16(this.#bits.bytes, this.#bits.align()), 16);
    return this.#bits.bytes.slice(0, this.#bits.align());
  }

  #writeHeader(samples: number): void {
    const to = this.#bits;
    const rateCode = RATE_CODES[this.#sampleRate] ?? RATE_IN_16_BITS;
    to.bits(FRAME_START, 16);
    to.bits(samples === FLAC_BLOCK_SAMPLES ? BLOCK_2048 : BLOCK_IN_16_BITS, 4);
    to.bits(rateCode, 4);
    to.bits(MONO, 4);
    to.bits(SAMPLES_OF_16_BITS << 1, 4);
    for (const byte of codedNumber(this.#frames++)) to.bits(byte, 8);
    if (samples !== FLAC_BLOCK_SAMPLES) to.bits(samples - 1, 16);
    if (rateCode === RATE_IN_16_BITS) to.bits(this.#sampleRate, 16);
    to.bits(crc8(to.bytes, to.align()), 8);
  }

  #writeSubframe(block: Int16Array): void {
    const { isConstant, wastedBits } = lookAt(block);
    if (isConstant) {
      this.#writeSubframeHead(Subframe.Constant, 0);
      this.#bits.bits(block[0] ?? 0, SAMPLE_BITS);
      return;
    }
    const samples = this.#samples;
    for (let at = 0; at < block.length; at++) samples[at] = (block[at] ?? 0) >> wastedBits;
    if (block.length < MIN_PREDICTED_SAMPLES) this.#writeVerbatim(block.length, wastedBits);
    else this.#writePredicted(block.length, wastedBits);
  }

  #writePredicted(count: number, wastedBits: number): void {
    const sampleBits = SAMPLE_BITS - wastedBits;
    const residual = this.#residual;
    const order = chooseOrder(this.#samples, count);
    takeResidual(this.#samples, count, order, residual);
    const sums = foldAndSum(residual, { from: order, samples: count, order: maxPartitionOrder(count) });
    const plan = planRice(sums, count, order);
    if (order * sampleBits + plan.bits >= count * sampleBits) {
      this.#writeVerbatim(count, wastedBits);
      return;
    }
    this.#writeSubframeHead(Subframe.Fixed + order, wastedBits);
    for (let at = 0; at < order; at++) this.#bits.bits(this.#samples[at] ?? 0, sampleBits);
    this.#writeResidual(residual, plan, { count, order });
  }

  #writeResidual(folded: Int32Array, plan: RicePlan, { count, order }: { count: number; order: number }): void {
    const to = this.#bits;
    to.bits(0, 2); // parameters of four bits
    to.bits(plan.partitionOrder, 4);
    const partition = count >> plan.partitionOrder;
    for (const [index, parameter] of plan.parameters.entries()) {
      to.bits(parameter, PARAMETER_BITS);
      to.rice(folded, index === 0 ? order : index * partition, (index + 1) * partition, parameter);
    }
  }

  #writeVerbatim(count: number, wastedBits: number): void {
    this.#writeSubframeHead(Subframe.Verbatim, wastedBits);
    for (let at = 0; at < count; at++) this.#bits.bits(this.#samples[at] ?? 0, SAMPLE_BITS - wastedBits);
  }

  #writeSubframeHead(type: number, wastedBits: number): void {
    this.#bits.bits(type, 7);
    this.#bits.bits(wastedBits > 0 ? 1 : 0, 1);
    // Their number as zeros and a one.
    if (wastedBits > 0) this.#bits.bits(1, wastedBits);
  }
}

/** Bits that are 0 in all samples need not be written: G.711 has two or three of them (RFC 9639, 9.2.2). */
function lookAt(block: Int16Array): { readonly isConstant: boolean; readonly wastedBits: number } {
  const first = block[0] ?? 0;
  let all = 0;
  let differences = 0;
  for (let at = 0; at < block.length; at++) {
    const sample = block[at] ?? 0;
    all |= sample;
    differences |= sample ^ first;
  }
  return { isConstant: differences === 0, wastedBits: all === 0 ? 0 : 31 - Math.clz32(all & -all) };
}

/** A number in one byte below 128, otherwise in as many as it needs, in the way of UTF-8 (RFC 9639, 9.1.5). */
export function codedNumber(value: number): number[] {
  if (value < 0x80) return [value];
  const behind: number[] = [];
  let rest = value;
  // The first byte has a one for every byte and a zero in front of what is left of the number.
  for (; rest >= 2 ** (6 - behind.length); rest = Math.floor(rest / 64)) behind.unshift(0x80 | (rest % 64));
  return [((0xff00 >> (behind.length + 1)) & 0xff) | rest, ...behind];
}

/** The STREAMINFO block of a stream of such frames (RFC 9639, 8.2), whose length and digest nobody knows in front. */
export function flacStreamInfo(sampleRate: number): Uint8Array<ArrayBuffer> {
  const info = new Uint8Array(STREAM_INFO_BYTES);
  const view = new DataView(info.buffer);
  view.setUint16(0, FLAC_BLOCK_SAMPLES); // the smallest block, the last one not counted
  view.setUint16(2, FLAC_BLOCK_SAMPLES);
  // Sizes of frames: not known. Then 20 bits of rate, 3 of channels less one, 5 of sample bits less one, 36 of samples.
  view.setUint32(10, sampleRate * 2 ** 12 + ((SAMPLE_BITS - 1) << 4));
  return info;
}

const STREAM_INFO_BYTES = 34;
