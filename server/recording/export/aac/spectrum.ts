// The spectrum of a frame in the order in which it is coded: windows that sound alike are a group and share scale factors, and
// in a group all windows' values of a band lie side by side (ISO/IEC 14496-3, 4.5.2.3.5).
import { AAC_FRAME_SAMPLES } from '../adts.ts';
import type { BandLayout } from './bandLayout.ts';
import { Mdct } from './mdct.ts';

export interface Spectrum {
  readonly values: Float64Array;
  /** Number of windows in each group. */
  readonly groups: readonly number[];
  /** Offsets of all groups' bands in the values, and the end of the last one. */
  readonly edges: readonly number[];
}

/** Windows in a group differ in energy by no more than 6 dB: otherwise the scale factors of one would not suit the other. */
const MAX_ENERGY_RATIO = 4;

/** The values are in memory that the next frame uses again. */
export class SpectrumAnalyser {
  readonly #layout: BandLayout;
  readonly #mdct: Mdct;
  readonly #windowValues: number;
  readonly #windows = new Float64Array(AAC_FRAME_SAMPLES);
  readonly #values = new Float64Array(AAC_FRAME_SAMPLES);

  constructor(layout: BandLayout) {
    this.#layout = layout;
    this.#windowValues = AAC_FRAME_SAMPLES / layout.windows;
    this.#mdct = new Mdct(this.#windowValues);
  }

  /** The spectrum of a frame, from the samples of the previous frame followed by its own. */
  analyse(samples: Float64Array): Spectrum {
    const { windows, offsets } = this.#layout;
    const size = this.#windowValues;
    // The windows lie as late as the samples allow.
    const from = 2 * AAC_FRAME_SAMPLES - (windows + 1) * size;
    for (let window = 0; window < windows; window++) {
      this.#mdct.transform(samples, from + window * size, this.#windows, window * size);
    }
    const groups = groupWindows(energies(this.#windows, windows));
    return { values: this.#values, groups, edges: this.#arrange(groups, offsets) };
  }

  #arrange(groups: readonly number[], offsets: readonly number[]): number[] {
    const edges = [0];
    let at = 0;
    let window = 0;
    for (const count of groups) {
      for (let band = 1; band < offsets.length; band++) {
        const from = offsets[band - 1] ?? 0;
        const end = offsets[band] ?? 0;
        for (let of = window; of < window + count; of++) {
          const source = of * this.#windowValues;
          for (let value = source + from; value < source + end; value++) this.#values[at++] = this.#windows[value] ?? 0;
        }
        edges.push(at);
      }
      window += count;
    }
    return edges;
  }
}

function energies(values: Float64Array, windows: number): number[] {
  const size = values.length / windows;
  return Array.from({ length: windows }, (_, window) => {
    let sum = 1;
    for (let at = window * size; at < (window + 1) * size; at++) sum += (values[at] ?? 0) ** 2;
    return sum;
  });
}

export function groupWindows(windowEnergies: readonly number[]): number[] {
  const groups: number[] = [];
  let least = 0;
  let most = 0;
  for (const energy of windowEnergies) {
    least = Math.min(least, energy);
    most = Math.max(most, energy);
    if (groups.length > 0 && most <= least * MAX_ENERGY_RATIO) {
      groups.push((groups.pop() ?? 0) + 1);
    } else {
      groups.push(1);
      least = energy;
      most = energy;
    }
  }
  return groups;
}
