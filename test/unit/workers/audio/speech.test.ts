import { describe, expect, it } from 'vitest';
import { loudness, SpeechEncoder } from '../../../../workers/audio/speech.ts';

const BLOCK = 128;

/** A tone of one second as a microphone gives it, encoded: pieces and all their samples. */
function encodeTone(inputRate: number, outputRate: number, hertz: number) {
  const encoder = new SpeechEncoder(inputRate, outputRate);
  const pieces: ArrayBuffer[] = [];
  for (let at = 0; at < inputRate; at += BLOCK) {
    const block = Float32Array.from(
      { length: BLOCK },
      (_, index) => 0.5 * Math.sin(((at + index) / inputRate) * 2 * Math.PI * hertz),
    );
    encoder.push(block, (bytes) => pieces.push(bytes));
  }
  const samples = pieces.flatMap((piece) => {
    const view = new DataView(piece);
    return Array.from({ length: piece.byteLength / 2 }, (_, index) => view.getInt16(index * 2, true));
  });
  return { pieces, samples };
}

const risingEdges = (samples: readonly number[]) =>
  samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length;

describe('speech', () => {
  it.each([
    [48_000, 8_000],
    [44_100, 8_000],
    [16_000, 8_000],
    [44_100, 16_000],
    [8_000, 16_000],
  ])('from %i Hz comes in even pieces of 40 ms at %i Hz, as long and as high as it was', (inputRate, outputRate) => {
    const { pieces, samples } = encodeTone(inputRate, outputRate, 500);
    expect(new Set(pieces.map((piece) => piece.byteLength))).toEqual(new Set([outputRate * 0.04 * 2]));
    expect(samples.length).toBeGreaterThan(outputRate * 0.95);
    expect(samples.length).toBeLessThanOrEqual(outputRate * 1.02);
    expect(Math.abs(risingEdges(samples) / (samples.length / outputRate) - 500)).toBeLessThan(8);
    const peak = Math.max(...samples.slice(100));
    expect(peak).toBeGreaterThan(0.45 * 32_767);
    expect(peak).toBeLessThan(0.55 * 32_767);
  });

  it('is clipped, not wrapped', () => {
    const encoder = new SpeechEncoder(8_000, 8_000);
    const pieces: ArrayBuffer[] = [];
    encoder.push(new Float32Array(1_000).fill(3), (bytes) => pieces.push(bytes));
    expect(new DataView(pieces[1] ?? new ArrayBuffer(2)).getInt16(0, true)).toBe(32_767);
  });

  it('has a loudness from nothing to full', () => {
    expect(loudness(new Float32Array(128))).toBe(0);
    expect(loudness(new Float32Array(128).fill(1))).toBe(1);
    expect(loudness(new Float32Array(128).fill(0.03))).toBeCloseTo(0.5, 1);
  });
});
