// IMA ADPCM as terminals frame it: four bytes of state, then two samples a byte, the low nibble first.

const INDEX_STEPS = [-1, -1, -1, -1, 2, 4, 6, 8] as const;
/** Each step is about a tenth larger than the one before; the table is the format's own. */
const STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
  1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
  7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
] as const;
export const ADPCM_STATE_BYTES = 4;

/** Keeps its state from frame to frame; each frame states it, so that one that is lost costs only itself. */
export class ImaAdpcmEncoder {
  #predictor = 0;
  #index = 0;

  /** An even number of samples. */
  encode(samples: Int16Array): Uint8Array {
    const frame = new Uint8Array(ADPCM_STATE_BYTES + (samples.length >> 1));
    const view = new DataView(frame.buffer);
    view.setInt16(0, this.#predictor, true);
    view.setUint8(2, this.#index);
    for (let at = 0; at + 1 < samples.length; at += 2) {
      const low = this.#nibble(samples[at] ?? 0);
      frame[ADPCM_STATE_BYTES + (at >> 1)] = low | (this.#nibble(samples[at + 1] ?? 0) << 4);
    }
    return frame;
  }

  #nibble(sample: number): number {
    const step = STEPS[this.#index] ?? STEPS[0];
    let rest = Math.abs(sample - this.#predictor);
    const sign = sample < this.#predictor ? 8 : 0;
    let code = 0;
    let change = step >> 3;
    // Each bit is worth half of the one before; the decoder adds up the same parts.
    for (let bit = 4, part = step; bit > 0; bit >>= 1, part >>= 1) {
      if (rest < part) continue;
      code |= bit;
      rest -= part;
      change += part;
    }
    this.#predictor = Math.min(Math.max(this.#predictor + (sign === 0 ? change : -change), -32_768), 32_767);
    this.#index = Math.min(Math.max(this.#index + (INDEX_STEPS[code] ?? 0), 0), STEPS.length - 1);
    return code | sign;
  }
}
