// G.711 A-law (ITU-T G.711): 13-bit samples in eight bits, the even bits inverted on the wire.
const INVERTED_BITS = 0x55;
const SIGN_BIT = 0x80;

/** One signed 16-bit sample as an A-law byte. */
export function encodeALaw(sample: number): number {
  const isPositive = sample >= 0;
  // Negative values are mirrored one step off zero: -1 and 0 share the smallest magnitude.
  const magnitude = Math.min((isPositive ? sample : -sample - 1) >> 4, 2047);
  const segment = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const mantissa = (segment < 2 ? magnitude : magnitude >> (segment - 1)) & 0x0f;
  return ((isPositive ? SIGN_BIT : 0) | (segment << 4) | mantissa) ^ INVERTED_BITS;
}
