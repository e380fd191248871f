import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AacEncoder, MAX_FRAME_BYTES } from '../../../../../../server/recording/export/aac/aacEncoder.ts';
import { encodableRate } from '../../../../../../server/recording/export/aac/bandLayout.ts';
import { groupWindows } from '../../../../../../server/recording/export/aac/spectrum.ts';
import { AAC_FRAME_SAMPLES } from '../../../../../../server/recording/export/adts.ts';
import { anySound } from '../../../../../support/media/anySound.ts';

const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

function framesOf(encoder: AacEncoder, samples: Int16Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < samples.length; at += AAC_FRAME_SAMPLES) {
    const block = new Int16Array(AAC_FRAME_SAMPLES);
    block.set(samples.subarray(at, at + AAC_FRAME_SAMPLES));
    frames.push(encoder.encode(block));
  }
  return frames;
}

describe('an encoder of AAC', () => {
  it.each(RATES)('makes no frame larger than a decoder takes, whatever it hears, at %d samples a second', (rate) => {
    fc.assert(
      fc.property(anySound(6_000), (samples) => {
        for (const { length } of framesOf(new AacEncoder(rate), samples)) {
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(MAX_FRAME_BYTES);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('makes noise at full scale fit', () => {
    let state = 1;
    const noise = Int16Array.from({ length: 8 * AAC_FRAME_SAMPLES }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state > 0 ? 32_767 : -32_768;
    });
    const sizes = framesOf(new AacEncoder(8_000), noise).map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
    expect(Math.min(...sizes.slice(1))).toBeGreaterThan(MAX_FRAME_BYTES / 2);
  });

  it.each(RATES)(
    'needs next to nothing for silence, and none of what was before it, at %d samples a second',
    (rate) => {
      const encoder = new AacEncoder(rate);
      const silence = new Int16Array(AAC_FRAME_SAMPLES);
      const fresh = encoder.encode(silence);
      expect(fresh.length).toBeLessThan(20);
      expect([...encoder.encode(silence)]).toEqual([...fresh]);
      const loud = encoder.encode(silence.map((_, at) => (at % 100) * 100));
      expect(loud.length).toBeGreaterThan(fresh.length);
      // It holds the end of the block before it.
      expect(encoder.encode(silence).length).toBeGreaterThan(fresh.length);
      expect([...encoder.encode(silence)]).toEqual([...fresh]);
    },
  );

  it('takes whole frames of rates that AAC has', () => {
    expect(() => new AacEncoder(8_001)).toThrow(RangeError);
    expect(() => new AacEncoder(8_000).encode(new Int16Array(1_023))).toThrow(RangeError);
  });

  it.each([
    [1, 8_000],
    [8_000, 8_000],
    [8_001, 11_025],
    [44_100, 44_100],
    [96_000, 48_000],
  ])('encodes sound of %d samples a second at %d', (said, rate) => {
    expect(encodableRate(said)).toBe(rate);
  });
});

describe('windows of a frame', () => {
  it('are a group while none has four times the energy of another', () => {
    expect(groupWindows([1, 1, 1, 1, 1, 1, 1, 1])).toEqual([8]);
    expect(groupWindows([1, 4, 5, 20, 19, 1, 1, 0.5])).toEqual([2, 3, 3]);
    expect(groupWindows([1, 2, 4, 8])).toEqual([3, 1]);
    expect(groupWindows([9, 1, 9])).toEqual([1, 1, 1]);
    expect(groupWindows([5])).toEqual([1]);
  });
});
