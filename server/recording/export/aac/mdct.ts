// The modified discrete cosine transform of AAC (ISO/IEC 14496-3, 4.6.11): windows that overlap by half become spectra.

/** Transforms of one length. Every transform uses the same memory again. */
export class Mdct {
  /** Values of a spectrum: half of a window's samples. */
  readonly #size: number;
  readonly #window: Float64Array;
  readonly #folded: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #fourier: Fourier;
  /** Rotation before and after the Fourier transform, which is the same. */
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  /** A power of two, 4 at least. */
  constructor(size: number) {
    const half = size / 2;
    this.#size = size;
    this.#window = Float64Array.from({ length: 2 * size }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / (2 * size)));
    this.#folded = new Float64Array(size);
    this.#real = new Float64Array(half);
    this.#imaginary = new Float64Array(half);
    this.#fourier = new Fourier(half);
    this.#cosines = Float64Array.from({ length: half }, (_, at) => Math.cos((Math.PI * (8 * at + 1)) / (8 * size)));
    this.#sines = Float64Array.from({ length: half }, (_, at) => Math.sin((Math.PI * (8 * at + 1)) / (8 * size)));
  }

  /** The spectrum of the samples from a place on, under the sine window; written to `to` from its place on. */
  transform(samples: Float64Array, from: number, to: Float64Array, at: number): void {
    this.#fold(samples, from);
    this.#rotateIn();
    this.#fourier.transform(this.#real, this.#imaginary);
    this.#rotateOut(to, at);
  }

  /** A window with its halves folded over each other: as many samples as the spectrum has values. */
  #fold(samples: Float64Array, from: number): void {
    const window = this.#window;
    const half = this.#size / 2;
    const windowed = (at: number): number => (samples[from + at] ?? 0) * (window[at] ?? 0);
    for (let at = 0; at < half; at++) {
      this.#folded[at] = -windowed(3 * half - 1 - at) - windowed(3 * half + at);
      this.#folded[half + at] = windowed(at) - windowed(2 * half - 1 - at);
    }
  }

  /** A cosine transform of this kind is a complex Fourier transform of half the size between two rotations. */
  #rotateIn(): void {
    const last = this.#size - 1;
    for (let at = 0; at < this.#size / 2; at++) {
      const even = this.#folded[2 * at] ?? 0;
      const odd = this.#folded[last - 2 * at] ?? 0;
      const cosine = this.#cosines[at] ?? 0;
      const sine = this.#sines[at] ?? 0;
      this.#real[at] = even * cosine + odd * sine;
      this.#imaginary[at] = odd * cosine - even * sine;
    }
  }

  /** The standard's spectrum is twice the transform. */
  #rotateOut(to: Float64Array, from: number): void {
    const last = this.#size - 1;
    for (let at = 0; at < this.#size / 2; at++) {
      const real = this.#real[at] ?? 0;
      const imaginary = this.#imaginary[at] ?? 0;
      const cosine = this.#cosines[at] ?? 0;
      const sine = this.#sines[at] ?? 0;
      to[from + 2 * at] = 2 * (real * cosine + imaginary * sine);
      to[from + last - 2 * at] = 2 * (real * sine - imaginary * cosine);
    }
  }
}

/** The complex Fourier transform of a power of two of values, in place. */
class Fourier {
  readonly #size: number;
  readonly #reversed: Uint16Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  constructor(size: number) {
    this.#size = size;
    const shift = Math.clz32(size) + 1;
    this.#reversed = Uint16Array.from({ length: size }, (_, at) => reverseBits(at) >>> shift);
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
    this.#sines = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
  }

  transform(real: Float64Array, imaginary: Float64Array): void {
    for (let at = 0; at < this.#size; at++) {
      const other = this.#reversed[at] ?? 0;
      if (other > at) {
        swap(real, at, other);
        swap(imaginary, at, other);
      }
    }
    for (let half = 1; half < this.#size; half *= 2) this.#pass(real, imaginary, half);
  }

  /** Makes transforms of `2 * half` values from pairs of transforms of `half`. */
  #pass(real: Float64Array, imaginary: Float64Array, half: number): void {
    const step = this.#size / (2 * half);
    for (let at = 0; at < half; at++) {
      const cosine = this.#cosines[at * step] ?? 0;
      const sine = this.#sines[at * step] ?? 0;
      for (let upper = at; upper < this.#size; upper += 2 * half) {
        const lower = upper + half;
        const turnedReal = (real[lower] ?? 0) * cosine - (imaginary[lower] ?? 0) * sine;
        const turnedImaginary = (real[lower] ?? 0) * sine + (imaginary[lower] ?? 0) * cosine;
        real[lower] = (real[upper] ?? 0) - turnedReal;
        imaginary[lower] = (imaginary[upper] ?? 0) - turnedImaginary;
        real[upper] = (real[upper] ?? 0) + turnedReal;
        imaginary[upper] = (imaginary[upper] ?? 0) + turnedImaginary;
      }
    }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const value = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = value;
}

function reverseBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) reversed |= ((value >>> bit) & 1) << (31 - bit);
  return reversed >>> 0;
}
