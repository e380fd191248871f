// The predictors of FLAC that need no coefficients (RFC 9639, 9.2.5): a sample is expected to go on as the polynomial of 0 to 4
// samples before it does. What is left is the difference of that order, the difference of the differences of the order below.

const MAX_ORDER = 4;

export class FixedPredictor {
  /** By order: the differences of the block that was looked at last; those of the first `order` samples mean nothing. */
  readonly #differences: readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

  constructor(maxSamples: number) {
    const room = (): Int32Array => new Int32Array(maxSamples);
    this.#differences = [room(), room(), room(), room(), room()];
  }

  /** The order that leaves least. `samples` are 16 bits each, at most 2048 and more than the highest order. */
  predict(samples: Int32Array, count: number): { readonly order: number; readonly residual: Int32Array } {
    const [d0, d1, d2, d3, d4] = this.#differences;
    let [last0, last1, last2, last3] = [0, 0, 0, 0];
    // Sums of 2048 differences of at most 20 bits: all whole numbers of 32 bits.
    let [sum0, sum1, sum2, sum3, sum4] = [0, 0, 0, 0, 0];
    for (let at = 0; at < count; at++) {
      const e0 = samples[at] ?? 0;
      const e1 = (e0 - last0) | 0;
      const e2 = (e1 - last1) | 0;
      const e3 = (e2 - last2) | 0;
      const e4 = (e3 - last3) | 0;
      last0 = e0;
      last1 = e1;
      last2 = e2;
      last3 = e3;
      d0[at] = e0;
      d1[at] = e1;
      d2[at] = e2;
      d3[at] = e3;
      d4[at] = e4;
      if (at < MAX_ORDER) continue;
      sum0 = (sum0 + Math.abs(e0)) | 0;
      sum1 = (sum1 + Math.abs(e1)) | 0;
      sum2 = (sum2 + Math.abs(e2)) | 0;
      sum3 = (sum3 + Math.abs(e3)) | 0;
      sum4 = (sum4 + Math.abs(e4)) | 0;
    }
    const sums = [sum0, sum1, sum2, sum3, sum4];
    const order = sums.indexOf(Math.min(...sums));
    return { order, residual: this.#differences[order] ?? d0 };
  }
}
