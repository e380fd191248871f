import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codedNumber,
  FLAC_BLOCK_SAMPLES,
  FlacEncoder,
  flacStreamInfo,
} from '../../../../../../server/recording/export/flac/flacEncoder.ts';
import { A_LAW, MU_LAW } from '../../../../../../shared/protocol/codec/sound/g711.ts';
import { anySound } from '../../../../../support/media/anySound.ts';
import { type ReadFlacFrame, readFlacFrame } from '../../../../../support/media/flacReader.ts';
import { runs } from '../../../../../support/runs.ts';

const WHOLE = FLAC_BLOCK_SAMPLES;
const sound = (sampleAt: (at: number) => number, samples = WHOLE): Int16Array =>
  Int16Array.from({ length: samples }, (_, at) => sampleAt(at));

function encoded(block: Int16Array, sampleRate = 8_000): { frame: ReadFlacFrame; bytes: number } {
  const bytes = new FlacEncoder(sampleRate).encode(block);
  return { frame: readFlacFrame(bytes), bytes: bytes.length };
}

/** Evenly spread over 16 bits, the same every time. */
function noise(samples: number): Int16Array {
  let state = 1;
  return sound(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >> 16;
  }, samples);
}

describe('a FLAC frame', () => {
  it('gives back its samples, whatever they are and however many', () => {
    fc.assert(
      fc.property(anySound(WHOLE), (block) => {
        expect(encoded(block).frame.samples).toEqual([...block]);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ['silence', sound(() => 0)],
    ['the same loud sample', sound(() => -32_768)],
    ['a square of full scale', sound((at) => (at % 16 < 8 ? 32_767 : -32_768))],
    ['the steepest steps there are', sound((at) => (at % 2 === 0 ? 32_767 : -32_768))],
    ['a clipped wave', sound((at) => Math.max(-32_768, Math.min(32_767, Math.round(90_000 * Math.sin(at / 9)))))],
    ['single impulses', sound((at) => (at % 500 === 250 ? 32_767 : 0))],
    ['one impulse at the end', sound((at) => (at === WHOLE - 1 ? -32_768 : 0))],
    ['noise of full scale', noise(WHOLE)],
    ['all of A-law', sound((at) => A_LAW[at % 256] ?? 0)],
    ['all of µ-law', sound((at) => MU_LAW[at % 256] ?? 0)],
    ['one sample', sound(() => 1234, 1)],
    ['two samples', sound((at) => at * 5 - 7, 2)],
    ['as many as a predictor takes and one', noise(5)],
    ['an odd number', noise(1_999)],
  ])('of %s is exact', (_, block) => {
    expect(encoded(block).frame.samples).toEqual([...block]);
  });

  it('of one value is a few bytes', () => {
    const { frame, bytes } = encoded(sound(() => 0));
    expect(frame.subframe).toBe('constant');
    expect(bytes).toBe(11);
  });

  it('of noise is no larger than its samples and its head', () => {
    const { frame, bytes } = encoded(noise(WHOLE));
    expect(frame.subframe).toBe('verbatim');
    expect(bytes).toBe(WHOLE * 2 + 9);
  });

  it.each([
    [0, noise(WHOLE).map((sample) => sample >> 6)],
    [1, sound((at) => (at % 64 < 32 ? 500 : 540))],
    [2, sound((at) => 14 * at - 14_000)],
    // Each difference of a wave is so much smaller, until what rounding has added is more.
    [3, sound((at) => Math.round(1_000 * Math.sin(at / 8)))],
    [4, sound((at) => Math.round(30_000 * Math.sin(at / 8)))],
  ])('has the predictor of order %d where that leaves least', (order, block) => {
    const { frame } = encoded(block);
    expect(frame).toMatchObject({ subframe: 'fixed', order });
    expect(frame.samples).toEqual([...block]);
  });

  it('leaves out the bits that are 0 in all samples', () => {
    const hum = (table: Int16Array): Int16Array => sound((at) => table[Math.round(60 + 20 * Math.sin(at / 30))] ?? 0);
    expect(encoded(hum(A_LAW)).frame.wastedBits).toBeGreaterThanOrEqual(3);
    expect(encoded(hum(MU_LAW)).frame.wastedBits).toBeGreaterThanOrEqual(2);
    expect(encoded(sound((at) => (at % 2 === 0 ? -32_768 : 0))).frame).toMatchObject({ wastedBits: 15 });
  });

  it('has a parameter of its own where a part is louder than the others', () => {
    const loud = noise(256);
    const { frame, bytes } = encoded(sound((at) => (at < 256 ? (loud[at] ?? 0) >> 4 : at % 5)));
    expect(frame.parameters.length).toBeGreaterThan(4);
    expect(frame.parameters[0]).toBeGreaterThan((frame.parameters.at(-1) ?? 0) + 5);
    expect(bytes).toBeLessThan(1_600);
  });

  it('takes half the room that telephone speech takes as 16 bits', () => {
    // A voice's fundamental and its harmonics that rise and fall, with the noise of a line, as A-law has it.
    const hiss = noise(WHOLE);
    const voice = sound((at) => {
      const level = 3_000 * Math.sin((Math.PI * at) / WHOLE);
      const wave = Math.sin(at / 10) + 0.5 * Math.sin(at / 5) + 0.25 * Math.sin(at / 2);
      return nearest(A_LAW, level * wave + (hiss[at] ?? 0) / 1_000);
    });
    expect(encoded(voice).bytes).toBeLessThan(WHOLE);
  });

  it.each([8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 65_535])('says its rate of %d', (sampleRate) => {
    expect(encoded(noise(100), sampleRate).frame.sampleRate).toBe(sampleRate);
  });

  it('has its number in the stream', () => {
    const encoder = new FlacEncoder(8_000);
    const numbers = Array.from({ length: 2_100 }, () => readFlacFrame(encoder.encode(Int16Array.of(1, 2))).number);
    expect(numbers).toEqual(Array.from({ length: 2_100 }, (_, at) => at));
  });

  it('cannot be of a rate or a length that its fields do not hold', () => {
    for (const rate of [0, -1, 8_000.5, 65_536, Number.NaN]) expect(() => new FlacEncoder(rate)).toThrow(RangeError);
    const encoder = new FlacEncoder(8_000);
    expect(() => encoder.encode(new Int16Array(0))).toThrow(RangeError);
    expect(() => encoder.encode(new Int16Array(WHOLE + 1))).toThrow(RangeError);
  });
});

function nearest(table: Int16Array, value: number): number {
  return table.reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best), 0);
}

describe('a frame’s number', () => {
  it('is coded as UTF-8 codes characters', () => {
    for (const number of [0, 1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x1_0000, 0x10_ffff]) {
      expect(codedNumber(number)).toEqual([...new TextEncoder().encode(String.fromCodePoint(number))]);
    }
  });

  it('goes on where there are no characters', () => {
    expect(codedNumber(0x1f_ffff)).toEqual([0xf7, 0xbf, 0xbf, 0xbf]);
    expect(codedNumber(0x20_0000)).toEqual([0xf8, 0x88, 0x80, 0x80, 0x80]);
    expect(codedNumber(0x3ff_ffff)).toEqual([0xfb, 0xbf, 0xbf, 0xbf, 0xbf]);
    expect(codedNumber(0x400_0000)).toEqual([0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]);
    expect(codedNumber(0x7fff_ffff)).toEqual([0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]);
  });
});

describe('a stream’s head', () => {
  it.each([8_000, 44_100, 65_535])('says blocks of one size, %d samples a second, one channel, 16 bits', (rate) => {
    const info = flacStreamInfo(rate);
    const hex = Buffer.from(info).toString('hex');
    const bits = BigInt(`0x${hex}`)
      .toString(2)
      .padStart(34 * 8, '0');
    const field = (from: number, count: number): number => Number.parseInt(bits.slice(from, from + count), 2);
    expect([field(0, 16), field(16, 16)]).toEqual([WHOLE, WHOLE]);
    expect([field(32, 24), field(56, 24)]).toEqual([0, 0]);
    expect([field(80, 20), field(100, 3), field(103, 5), field(108, 36)]).toEqual([rate, 0, 15, 0]);
    expect(hex.slice(36)).toBe('0'.repeat(32));
  });
});
