/**
 * Converts from one sample rate to another by linear interpolation, for sound whose rate differs from its clip's. The position
 * between two samples is kept from piece to piece.
 */
export class LineResampler {
  readonly from: number;
  /** Input samples per output sample. */
  readonly #step: number;
  /** Position of the next output sample after the last input sample. */
  #phase = 0;
  #last: number | undefined;

  constructor(from: number, to: number) {
    this.from = from;
    this.#step = from / to;
  }

  convert(samples: Float32Array): Float32Array {
    const made = new Float32Array(Math.ceil(samples.length / this.#step) + 1);
    let count = 0;
    let last = this.#last ?? samples[0] ?? 0;
    for (const sample of samples) {
      for (; this.#phase < 1; this.#phase += this.#step) made[count++] = last + (sample - last) * this.#phase;
      this.#phase -= 1;
      last = sample;
    }
    this.#last = last;
    return made.subarray(0, count);
  }
}
