// G.711 (ITU-T G.711): A-law and µ-law, signed 16-bit samples in eight bits.
const A_INVERTED_BITS = 0x55;
const SIGN_BIT = 0x80;
const MU_BIAS = 0x84;
const MU_CLIP = 32_635;

/** One signed 16-bit sample as an A-law byte. */
export function encodeALaw(sample: number): number {
  const isPositive = sample >= 0;
  // Negative values are mirrored one step off zero: -1 and 0 share the smallest magnitude.
  const magnitude = Math.min((isPositive ? sample : -sample - 1) >> 4, 2047);
  const segment = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const mantissa = (segment < 2 ? magnitude : magnitude >> (segment - 1)) & 0x0f;
  return ((isPositive ? SIGN_BIT : 0) | (segment << 4) | mantissa) ^ A_INVERTED_BITS;
}

/** One signed 16-bit sample as a µ-law byte. */
export function encodeMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), MU_CLIP) + MU_BIAS;
  const segment = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (segment + 3)) & 0x0f;
  return ~((sample < 0 ? SIGN_BIT : 0) | (segment << 4) | mantissa) & 0xff;
}
