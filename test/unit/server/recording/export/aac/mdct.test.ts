import { describe, expect, it } from 'vitest';
import { Mdct } from '../../../../../../server/recording/export/aac/mdct.ts';

function noise(length: number): Float64Array {
  let state = 7;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 65_536;
  });
}

/** The spectrum as the standard writes it: a sum of all samples for each value. */
function spectrumOf(samples: Float64Array, size: number): number[] {
  const shift = (size + 1) / 2;
  return Array.from({ length: size }, (_, value) => {
    let sum = 0;
    for (const [at, sample] of samples.entries()) {
      const window = Math.sin((Math.PI / (2 * size)) * (at + 0.5));
      sum += sample * window * Math.cos((Math.PI / size) * (at + shift) * (value + 0.5));
    }
    return 2 * sum;
  });
}

describe('the transform of a window', () => {
  it.each([4, 128, 1_024])('of %d values is what the standard says, and depends on nothing before it', (size) => {
    const mdct = new Mdct(size);
    const samples = noise(2 * size + 3);
    const to = new Float64Array(size + 5);
    mdct.transform(noise(2 * size), 0, to, 0);
    mdct.transform(samples, 3, to, 5);
    const expected = spectrumOf(samples.subarray(3), size);
    const most = Math.max(...expected.map(Math.abs));
    for (const [at, value] of expected.entries()) {
      expect(Math.abs((to[at + 5] ?? Number.NaN) - value)).toBeLessThan(most * 1e-9);
    }
  });
});
