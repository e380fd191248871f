// Decides how coarsely each band of a spectrum may be written, so that the noise stays inaudible beside the rest.
import { MAX_SCALE_STEP, MAX_VALUE } from './codebooks.ts';
import type { Spectrum } from './spectrum.ts';

/** The scale factor at which a value stands for itself (ISO/IEC 14496-3, 4.6.2.3.3). */
const UNIT_SCALE = 100;
const MAX_SCALE = 255;
/** A band that is not written at all, because nothing in it would be heard. */
export const NOT_CODED = -1;

const decibels = (value: number): number => 10 ** (value / 10);
/**
 * Noise of a band relative to its energy: low, since a clip's sound is small compared to its pictures, and listeners may look for
 * hardly audible sounds.
 */
const NOISE_RATIO = decibels(-30);
/** A loud band masks noise in its neighbors, more above it than below. */
const SPREAD_UP = decibels(-15);
const SPREAD_DOWN = decibels(-25);
/** Minimum noise: rounding to whole steps of 16 bits loses as much anyway. */
const MIN_NOISE_OF_A_SAMPLE = 1;

export interface BandShape {
  /** Bands of a group. */
  readonly bands: number;
  /** Values in the spectrum of one window. */
  readonly windowValues: number;
}

interface BandLevels {
  /** Average energy of a value. */
  readonly energies: Float64Array;
  readonly roots: Float64Array;
}

/** The scale factors of all bands of all groups. */
export function chooseScales(spectrum: Spectrum, { bands, windowValues }: BandShape): Int16Array {
  const { energies, roots } = levelsOf(spectrum);
  // The transform turns noise of a variance into values of that variance times a window's samples.
  const minNoise = MIN_NOISE_OF_A_SAMPLE * 2 * windowValues;
  const scales = new Int16Array(energies.length);
  for (let band = 0; band < scales.length; band++) {
    const energy = energies[band] ?? 0;
    const below = band % bands === 0 ? 0 : (energies[band - 1] ?? 0);
    const above = band % bands === bands - 1 ? 0 : (energies[band + 1] ?? 0);
    const noise = Math.max(minNoise, NOISE_RATIO * Math.max(energy, SPREAD_UP * below, SPREAD_DOWN * above));
    scales[band] = energy <= noise ? NOT_CODED : scaleFor(noise, roots[band] ?? 0);
  }
  return levelled(scales);
}

function levelsOf({ values, edges }: Spectrum): BandLevels {
  const energies = new Float64Array(edges.length - 1);
  const roots = new Float64Array(edges.length - 1);
  for (let band = 0; band < energies.length; band++) {
    const from = edges[band] ?? 0;
    const end = edges[band + 1] ?? 0;
    let energy = 0;
    let root = 0;
    for (let at = from; at < end; at++) {
      const size = Math.abs(values[at] ?? 0);
      energy += size * size;
      root += Math.sqrt(size);
    }
    energies[band] = energy / (end - from);
    roots[band] = root / (end - from);
  }
  return { energies, roots };
}

/**
 * The coarsest scale whose noise is no more than allowed. Values are written to the power of 3/4, rounded: a step there is
 * 4/3 of the value's fourth root times the scale to the 3/4, and rounding makes a twelfth of its square of noise.
 */
function scaleFor(noise: number, meanRoot: number): number {
  const scale = ((27 / 4) * (noise / meanRoot)) ** (2 / 3);
  return Math.min(Math.max(Math.floor(UNIT_SCALE + 4 * Math.log2(scale)), 0), MAX_SCALE);
}

/** Scales are written as steps from one to the next, which are bounded: bands that could be finer than that are made coarser. */
function levelled(scales: Int16Array): Int16Array {
  const least = Math.max(...scales) - MAX_SCALE_STEP;
  return scales.map((scale) => (scale === NOT_CODED ? NOT_CODED : Math.max(scale, least)));
}

/** Makes all scales coarser. */
export function coarser(scales: Int16Array, by: number): Int16Array {
  return scales.map((scale) => (scale === NOT_CODED ? NOT_CODED : Math.min(scale + by, MAX_SCALE)));
}

/** Less than a half: below a step, smaller values are more likely than larger ones. */
const ROUNDING = 0.4054;

export function quantise({ values, edges }: Spectrum, scales: Int16Array, to: Int32Array): void {
  for (let band = 0; band < scales.length; band++) {
    const scale = scales[band] ?? NOT_CODED;
    const factor = scale === NOT_CODED ? 0 : 2 ** ((-3 / 16) * (scale - UNIT_SCALE));
    const end = edges[band + 1] ?? 0;
    for (let at = edges[band] ?? 0; at < end; at++) {
      const value = values[at] ?? 0;
      const size = Math.abs(value);
      const level = Math.min(Math.floor(Math.sqrt(size * Math.sqrt(size)) * factor + ROUNDING), MAX_VALUE);
      to[at] = value < 0 ? -level : level;
    }
  }
}
