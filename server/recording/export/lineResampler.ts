/**
 * From one rate to another by straight lines between samples: for what comes in another rate than its clip has. The place
 * between two samples is kept from piece to piece.
 */
export class LineResampler {
  readonly from: number;
  /** Samples that come for one that is made. */
  readonly #step: number;
  /** Of the next sample to make, behind the last one that came. */
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
