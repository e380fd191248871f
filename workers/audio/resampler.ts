// Changes the sample rate of an endless signal, sample by sample: no seam from one chunk to the next.

/** Source samples that each output sample is made of. */
const TAPS = 16;
/** Places between two source samples that the kernel is worked out for; between those it is interpolated. */
const PHASES = 128;
/** Where the kernel begins to fall off, as a share of the lower of the two half rates. */
const CUTOFF = 0.92;

export class Resampler {
  readonly #kernel: Float32Array;
  /** The newest TAPS samples, twice in a row, so that any window of them is one stretch. */
  readonly #history = new Float32Array(TAPS * 2);
  readonly #ratio: number;
  #newest = 0;
  #phase = 0;

  constructor(sourceRate: number, outputRate: number) {
    this.#ratio = sourceRate / outputRate;
    this.#kernel = buildKernel(CUTOFF * Math.min(1, outputRate / sourceRate));
  }

  /** The next output sample. `speed` above 1 plays faster; `read` gives the next source sample. */
  next(read: () => number, speed: number): number {
    this.#phase += this.#ratio * speed;
    while (this.#phase >= 1) {
      this.#phase -= 1;
      this.#push(read());
    }
    const place = this.#phase * PHASES;
    const row = Math.floor(place);
    const share = place - row;
    let sum = 0;
    for (let tap = 0; tap < TAPS; tap++) {
      const here = this.#kernel[row * TAPS + tap] ?? 0;
      const beyond = this.#kernel[(row + 1) * TAPS + tap] ?? 0;
      sum += (this.#history[this.#newest + tap] ?? 0) * (here + (beyond - here) * share);
    }
    return sum;
  }

  #push(sample: number): void {
    this.#history[this.#newest] = sample;
    this.#history[this.#newest + TAPS] = sample;
    this.#newest = (this.#newest + 1) % TAPS;
  }
}

/** Rows of a windowed sinc, oldest sample first; each row passes a constant signal unchanged. */
function buildKernel(cutoff: number): Float32Array {
  const kernel = new Float32Array((PHASES + 1) * TAPS);
  for (let row = 0; row <= PHASES; row++) {
    const values = Array.from({ length: TAPS }, (_, tap) => windowedSinc(tap - TAPS / 2 + 1 - row / PHASES, cutoff));
    const sum = values.reduce((total, value) => total + value, 0);
    values.forEach((value, tap) => {
      kernel[row * TAPS + tap] = value / sum;
    });
  }
  return kernel;
}

function windowedSinc(x: number, cutoff: number): number {
  const edge = TAPS / 2;
  if (Math.abs(x) >= edge) return 0;
  const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / edge) + 0.08 * Math.cos((2 * Math.PI * x) / edge);
  const angle = Math.PI * x * cutoff;
  return window * (angle === 0 ? cutoff : (Math.sin(angle) / angle) * cutoff);
}
