import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeALaw } from '../../../../server/device/audio/g711.ts';
import type { G726Bits } from '../../../../shared/protocol/codec/g726.ts';
import { A_LAW, decodeG711, MU_LAW } from '../../../../shared/protocol/codec/sound/g711.ts';
import { G726Decoder, g726BitsOf } from '../../../../shared/protocol/codec/sound/g726.ts';
import { decodeImaAdpcm } from '../../../../shared/protocol/codec/sound/imaAdpcm.ts';
import { decodePcm16, TelephoneDecoder } from '../../../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs } from '../../../../shared/protocol/time.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';

const RATE = 8_000;
const tone = (seconds: number, peak = 0.3) =>
  Int16Array.from({ length: RATE * seconds }, (_, at) =>
    Math.round(Math.sin((at / RATE) * 2 * Math.PI * 440) * peak * 32_767),
  );

describe('G.711', () => {
  it.each([
    ['µ-law', MU_LAW, 0x00, -32_124],
    ['µ-law', MU_LAW, 0x80, 32_124],
    ['µ-law', MU_LAW, 0xff, 0],
    ['A-law', A_LAW, 0xd5, 8],
    ['A-law', A_LAW, 0x55, -8],
    ['A-law', A_LAW, 0xaa, 32_256],
    ['A-law', A_LAW, 0x2a, -32_256],
  ] as const)('%s: code %#', (_law, table, code, sample) => {
    expect(table[code]).toBe(sample);
  });

  it('undoes what the simulator does, within the law’s own steps', () => {
    for (const sample of tone(0.1)) {
      const [decoded = 0] = decodeG711(Uint8Array.of(encodeALaw(sample)), A_LAW);
      expect(Math.abs(decoded * 32_768 - sample)).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 16));
    }
  });
});

describe('G.726', () => {
  it.each([
    [200, 5],
    [160, 4],
    [120, 3],
    [80, 2],
    [400, 4],
  ])('a frame of %i bytes in 40 ms has %i bits a sample', (bytes, bits) => {
    expect(g726BitsOf(bytes, 40)).toBe(bits);
  });
});

const ffmpeg = findFfmpeg();

describe.skipIf(ffmpeg === undefined)('beside ffmpeg', () => {
  const run = (input: Buffer, args: readonly string[]): Buffer => {
    const { stdout, status } = spawnSync(ffmpeg?.ffmpegPath ?? '', ['-loglevel', 'error', ...args, '-'], { input });
    expect(status).toBe(0);
    return stdout;
  };
  const pcm = () => Buffer.from(tone(1).buffer);
  const raw = ['-f', 's16le', '-ar', '8000', '-ac', '1', '-i', '-'];

  // Not of 5 bits: there ffmpeg lets the zeros' coefficients leak twice as fast as the recommendation says.
  it.each([2, 3, 4] as const)('G.726 of %i bits gives nearly the same samples', (bits: G726Bits) => {
    const rate = String(bits * 8_000);
    const encoded = run(pcm(), [...raw, '-c:a', 'g726le', '-b:a', rate, '-f', 'g726le']);
    const reference = run(encoded, [
      '-f',
      'g726le',
      '-code_size',
      String(bits),
      '-ar',
      '8000',
      '-i',
      '-',
      '-f',
      's16le',
    ]);
    expect(noiseDb(new G726Decoder(bits).decode(encoded), decodePcm16(reference))).toBeLessThan(-25);
  });

  it('IMA ADPCM gives the same samples', () => {
    const wave = run(pcm(), [...raw, '-c:a', 'adpcm_ima_wav', '-block_size', '256', '-f', 'wav']);
    const reference = run(wave, ['-f', 'wav', '-i', '-', '-f', 's16le']);
    const data = wave.subarray(wave.indexOf('data') + 8);
    const expected = decodePcm16(reference);
    const samplesPerBlock = (256 - 4) * 2 + 1;
    for (const block of [0, 3, 9]) {
      const decoded = decodeImaAdpcm(data.subarray(block * 256, (block + 1) * 256));
      // In a WAV file the state's own sample is the first one of the block.
      const from = block * samplesPerBlock + 1;
      expect(noiseDb(decoded, expected.slice(from, from + decoded.length))).toBeLessThan(-50);
    }
  });
});

describe('any bytes', () => {
  it('give samples between -1 and 1, and never an exception', () => {
    const codecs = [Codec.Pcm16, Codec.G711A, Codec.G711U, Codec.ImaAdpcm, Codec.G726];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...codecs), fc.integer(), (bytes, codec, atUs) => {
        const decoder = new TelephoneDecoder();
        for (const step of [0, 40_000]) {
          const frame = {
            codec,
            bytes: new Uint8Array(bytes),
            mediaTimeUs: mediaUs(atUs + step),
            discontinuity: false,
          };
          const chunk = decoder.decode(frame, { sampleRate: 8_000, channels: 1 });
          expect(chunk?.samples.every((sample) => Math.abs(sample) <= 1)).toBe(true);
        }
      }),
    );
  });

  it('of a codec that is left to the browser are not touched', () => {
    const frame = { codec: Codec.Aac, bytes: new Uint8Array(8), mediaTimeUs: mediaUs(0), discontinuity: false };
    expect(new TelephoneDecoder().decode(frame, { sampleRate: 8_000, channels: 1 })).toBeUndefined();
  });
});

/** Power of the difference against the power of what was expected. */
function noiseDb(actual: Float32Array, expected: Float32Array): number {
  const length = Math.min(actual.length, expected.length);
  expect(length).toBeGreaterThan(400);
  let noise = 0;
  let signal = 0;
  for (let at = 0; at < length; at++) {
    noise += ((actual[at] ?? 0) - (expected[at] ?? 0)) ** 2;
    signal += (expected[at] ?? 0) ** 2;
  }
  return 10 * Math.log10(noise / signal);
}
