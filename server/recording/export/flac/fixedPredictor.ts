// The predictors of FLAC that need no coefficients (RFC 9639, 9.2.5): a sample is expected to go on as the polynomial of 0 to 4
// samples before it does. What is left is the difference of that order, the difference of the differences of the order below.

const MAX_ORDER = 4;
/** What the samples before count for, the last one first. */
const FACTORS = [
  [0, 0, 0, 0],
  [1, 0, 0, 0],
  [2, -1, 0, 0],
  [3, -3, 1, 0],
  [4, -6, 4, -1],
] as const;
/** Of longer blocks a quarter is looked at, in eight runs: what leaves least there leaves little elsewhere. */
const WHOLLY_LOOKED_AT = 512;
const RUNS = 8;

/** The order that leaves least. `samples` are of 16 bits, at most 2048 of them, and more than the highest order. */
export function chooseOrder(samples: Int32Array, count: number): number {
  const isWhole = count < WHOLLY_LOOKED_AT;
  const step = isWhole ? count : Math.floor(count / RUNS);
  const run = isWhole ? count : Math.floor(step / 4);
  const sums = new Int32Array(MAX_ORDER + 1);
  for (let from = 0; from + run <= count; from += step) addDifferences(samples, from, from + run, sums);
  return sums.indexOf(Math.min(...sums));
}

/** Adds up, by order, how large the differences are; the first few of the run only begin it. */
function addDifferences(samples: Int32Array, from: number, to: number, sums: Int32Array): void {
  let [last0, last1, last2, last3] = [0, 0, 0, 0];
  // Sums of 2048 differences of at most 20 bits: all whole numbers of 32 bits.
  let [sum0, sum1, sum2, sum3, sum4] = [0, 0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const e0 = samples[at] ?? 0;
    const e1 = (e0 - last0) | 0;
    const e2 = (e1 - last1) | 0;
    const e3 = (e2 - last2) | 0;
    const e4 = (e3 - last3) | 0;
    last0 = e0;
    last1 = e1;
    last2 = e2;
    last3 = e3;
    if (at < from + MAX_ORDER) continue;
    sum0 = (sum0 + Math.abs(e0)) | 0;
    sum1 = (sum1 + Math.abs(e1)) | 0;
    sum2 = (sum2 + Math.abs(e2)) | 0;
    sum3 = (sum3 + Math.abs(e3)) | 0;
    sum4 = (sum4 + Math.abs(e4)) | 0;
  }
  for (const [order, sum] of [sum0, sum1, sum2, sum3, sum4].entries()) sums[order] = (sums[order] ?? 0) + sum;
}

/** What the predictor leaves of each sample behind the first `order`, at the sample's own place. */
export function takeResidual(samples: Int32Array, count: number, order: number, residual: Int32Array): void {
  const [first, second, third, fourth] = FACTORS[order] ?? FACTORS[0];
  let [last, last2, last3, last4] = [0, 0, 0, 0];
  for (let at = 0; at < count; at++) {
    const sample = samples[at] ?? 0;
    residual[at] = sample - first * last - second * last2 - third * last3 - fourth * last4;
    last4 = last3;
    last3 = last2;
    last2 = last;
    last = sample;
  }
}
