// Sound of any kind, for encoders that must give back what they took.
import fc from 'fast-check';

const FULL_SCALE = 32_767;

type Part =
  | { readonly kind: 'noise'; readonly level: number; readonly seed: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'wave'; readonly level: number; readonly period: number }
  | { readonly kind: 'square'; readonly period: number }
  | { readonly kind: 'impulses'; readonly apart: number };

/** A wave may be louder than full scale: it is clipped then. */
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('noise' as const), level: fc.nat(FULL_SCALE), seed: fc.integer() }),
  fc.record({ kind: fc.constant('silence' as const) }),
  fc.record({
    kind: fc.constant('wave' as const),
    level: fc.nat(3 * FULL_SCALE),
    period: fc.integer({ min: 2, max: 900 }),
  }),
  fc.record({ kind: fc.constant('square' as const), period: fc.integer({ min: 2, max: 300 }) }),
  fc.record({ kind: fc.constant('impulses' as const), apart: fc.integer({ min: 2, max: 700 }) }),
);

/** Up to so many samples of 16 bits, in parts of different kinds; some have no bits below a step, as G.711 has it. */
export function anySound(maxSamples: number): fc.Arbitrary<Int16Array> {
  const shape = fc.record({
    parts: fc.array(anyPart, { minLength: 1, maxLength: 5 }),
    samples: fc.oneof(fc.constant(maxSamples), fc.integer({ min: 1, max: maxSamples })),
    zeroBits: fc.oneof(fc.constant(0), fc.nat(15)),
  });
  return shape.map(({ parts, samples, zeroBits }) => {
    const each = Math.ceil(samples / parts.length);
    const waves = parts.map(waveOf);
    return Int16Array.from({ length: samples }, (_, at) => {
      const value = waves[Math.floor(at / each)]?.(at) ?? 0;
      return (Math.max(-FULL_SCALE - 1, Math.min(FULL_SCALE, Math.round(value))) >> zeroBits) << zeroBits;
    });
  });
}

function waveOf(part: Part): (at: number) => number {
  switch (part.kind) {
    case 'silence':
      return () => 0;
    case 'wave':
      return (at) => part.level * Math.sin((2 * Math.PI * at) / part.period);
    case 'square':
      return (at) => (at % part.period < part.period / 2 ? FULL_SCALE : -FULL_SCALE - 1);
    case 'impulses':
      return (at) => (at % part.apart === 0 ? FULL_SCALE : 0);
    case 'noise': {
      let state = part.seed;
      return () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return ((state >> 15) / 65_536) * part.level;
      };
    }
  }
}
