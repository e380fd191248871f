import { describe, expect, it } from 'vitest';
import { encodeALaw, encodeMuLaw } from '../../../../../server/device/audio/g711.ts';
import { G726Encoder } from '../../../../../server/device/audio/g726.ts';
import { ImaAdpcmEncoder } from '../../../../../server/device/audio/imaAdpcm.ts';
import type { G726Bits } from '../../../../../shared/protocol/codec/g726.ts';
import { G726Decoder } from '../../../../../shared/protocol/codec/sound/g726.ts';

/** A decoder written from the standard's formula alone: sign, segment, mantissa. */
function decodeMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return (bits & 0x80) !== 0 ? -magnitude : magnitude;
}

function decodeALaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? mantissa : (mantissa + 0x100) << (segment - 1);
  return (bits & 0x80) !== 0 ? magnitude : -magnitude;
}

/** Steps grow by a tenth, rounded as the format's table has them; derived here from the format's own recurrence. */
function decodeAdpcm(frame: Uint8Array, steps: readonly number[]): number[] {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  let predictor = view.getInt16(0, true);
  let index = view.getUint8(2);
  const samples: number[] = [];
  for (const byte of frame.subarray(4)) {
    for (const code of [byte & 0x0f, byte >> 4]) {
      const step = steps[index] ?? 0;
      const change = (step >> 3) + (code & 4 ? step : 0) + (code & 2 ? step >> 1 : 0) + (code & 1 ? step >> 2 : 0);
      predictor = Math.max(-32_768, Math.min(32_767, predictor + (code & 8 ? -change : change)));
      index = Math.max(0, Math.min(88, index + ([-1, -1, -1, -1, 2, 4, 6, 8][code & 7] ?? 0)));
      samples.push(predictor);
    }
  }
  return samples;
}

const STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
  1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
  7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

describe('G.711', () => {
  it.each([
    [0, 0xff],
    [-1, 0x7f],
    [32_767, 0x80],
    [-32_768, 0x00],
  ])('writes %i in µ-law as %i', (sample, code) => {
    expect(encodeMuLaw(sample)).toBe(code);
  });

  it.each([
    ['µ-law', encodeMuLaw, decodeMuLaw],
    ['A-law', encodeALaw, decodeALaw],
  ])('comes back from %s within half a step of its segment', (_what, encode, decode) => {
    for (let sample = -32_000; sample <= 32_000; sample += 7) {
      const allowed = Math.max(16, (Math.abs(sample) + 132) / 30);
      expect(Math.abs(decode(encode(sample)) - sample)).toBeLessThanOrEqual(allowed);
    }
  });
});

describe('ImaAdpcmEncoder', () => {
  it('follows a wave, and each frame can be read alone', () => {
    const encoder = new ImaAdpcmEncoder();
    const wave = Int16Array.from({ length: 3_200 }, (_, at) => Math.round(8_000 * Math.sin(at / 6)));
    const errors: number[] = [];
    for (let at = 0; at < wave.length; at += 320) {
      const frame = encoder.encode(wave.subarray(at, at + 320));
      expect(frame).toHaveLength(4 + 160);
      decodeAdpcm(frame, STEPS).forEach((sample, index) => {
        if (at > 0) errors.push(Math.abs(sample - (wave[at + index] ?? 0)));
      });
    }
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(400);
  });
});

describe('G726Encoder', () => {
  /** Speech-like: two tones that swell and fade. */
  const speech = Int16Array.from({ length: 8_000 }, (_, at) =>
    Math.round((4_000 * Math.sin(at / 5) + 3_000 * Math.sin(at / 11)) * Math.abs(Math.sin(at / 900))),
  );

  it.each<[G726Bits, number]>([
    [2, 7],
    [3, 13],
    [4, 19],
    [5, 25],
  ])('of %i bits a sample leaves the signal at least %i dB above the noise', (bits, leastDb) => {
    const encoder = new G726Encoder(bits);
    const decoder = new G726Decoder(bits);
    let signal = 0;
    let noise = 0;
    for (let from = 0; from < speech.length; from += 320) {
      const samples = speech.subarray(from, from + 320);
      const frame = encoder.encode(samples);
      expect(frame).toHaveLength(40 * bits);
      decoder.decode(frame).forEach((decoded, at) => {
        const sample = (samples[at] ?? 0) / 32_768;
        signal += sample ** 2;
        noise += (sample - decoded) ** 2;
      });
    }
    expect(10 * Math.log10(signal / noise)).toBeGreaterThan(leastDb);
  });

  it.each<G726Bits>([2, 3, 4, 5])(
    'of %i bits takes any samples, the loudest included, and silence stays silent',
    (bits) => {
      const encoder = new G726Encoder(bits);
      const decoder = new G726Decoder(bits);
      const loud = Int16Array.from({ length: 320 }, (_, at) => (at % 2 === 0 ? 32_767 : -32_768));
      expect(decoder.decode(encoder.encode(loud)).every(Number.isFinite)).toBe(true);
      for (let frame = 0; frame < 20; frame++) decoder.decode(encoder.encode(new Int16Array(320)));
      const quiet = decoder.decode(encoder.encode(new Int16Array(320)));
      expect(Math.max(...quiet.map(Math.abs))).toBeLessThan(0.002);
    },
  );

  it('packs a last byte that is not full', () => {
    expect(new G726Encoder(3).encode(new Int16Array(3))).toHaveLength(2);
    expect(new G726Encoder(4).encode(new Int16Array(0))).toHaveLength(0);
  });
});
