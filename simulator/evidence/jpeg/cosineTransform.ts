// The forward transform of a block of 8x8 samples (ITU-T T.81, annex A.3.3), rows first and then columns.

export const BLOCK_SIDE = 8;
export const BLOCK_SAMPLES = 64;

/** By frequency and place. */
const COSINES = Float64Array.from({ length: BLOCK_SAMPLES }, (_, at) => {
  const [frequency, place] = [Math.floor(at / BLOCK_SIDE), at % BLOCK_SIDE];
  const scale = frequency === 0 ? Math.SQRT1_2 / 2 : 0.5;
  return scale * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

const rows = new Float64Array(BLOCK_SAMPLES);

export function transform(samples: Float64Array, coefficients: Float64Array): void {
  const [first = 0] = samples;
  if (samples.every((sample) => sample === first)) {
    coefficients.fill(0);
    coefficients[0] = first * BLOCK_SIDE;
    return;
  }
  for (let line = 0; line < BLOCK_SAMPLES; line += BLOCK_SIDE) {
    for (let frequency = 0; frequency < BLOCK_SIDE; frequency++) {
      let sum = 0;
      for (let at = 0; at < BLOCK_SIDE; at++) {
        sum += (COSINES[frequency * BLOCK_SIDE + at] ?? 0) * (samples[line + at] ?? 0);
      }
      rows[line + frequency] = sum;
    }
  }
  for (let column = 0; column < BLOCK_SIDE; column++) {
    for (let frequency = 0; frequency < BLOCK_SIDE; frequency++) {
      let sum = 0;
      for (let at = 0; at < BLOCK_SIDE; at++) {
        sum += (COSINES[frequency * BLOCK_SIDE + at] ?? 0) * (rows[at * BLOCK_SIDE + column] ?? 0);
      }
      coefficients[frequency * BLOCK_SIDE + column] = sum;
    }
  }
}
