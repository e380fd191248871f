// Microphone samples as speech for a line: another rate, signed 16 bit, little-endian, in pieces of an even length.
import { Resampler } from './resampler.ts';

/** Long enough to cost few messages, short enough not to be heard as a delay. */
const PIECE_MS = 40;

export class SpeechEncoder {
  readonly #resampler: Resampler;
  readonly #ratio: number;
  readonly #pieceSamples: number;
  readonly #queue: number[] = [];
  #piece: DataView<ArrayBuffer>;
  #filled = 0;
  readonly #read = (): number => this.#queue.shift() ?? 0;

  constructor(inputRate: number, outputRate: number) {
    this.#resampler = new Resampler(inputRate, outputRate);
    this.#ratio = inputRate / outputRate;
    this.#pieceSamples = Math.max(1, Math.round((outputRate * PIECE_MS) / 1_000));
    this.#piece = this.#newPiece();
  }

  /** Gives each piece that has become full. */
  push(samples: Float32Array, onPiece: (bytes: ArrayBuffer) => void): void {
    for (const sample of samples) this.#queue.push(sample);
    // One output sample takes in at most this many.
    while (this.#queue.length >= Math.ceil(this.#ratio)) {
      const sample = Math.min(Math.max(this.#resampler.next(this.#read, 1), -1), 1);
      this.#piece.setInt16(this.#filled * 2, Math.round(sample * 32_767), true);
      this.#filled++;
      if (this.#filled < this.#pieceSamples) continue;
      onPiece(this.#piece.buffer);
      this.#piece = this.#newPiece();
    }
  }

  #newPiece(): DataView<ArrayBuffer> {
    this.#filled = 0;
    return new DataView(new ArrayBuffer(this.#pieceSamples * 2));
  }
}

/** How loud a stretch is, 0 to 1, as a needle would show it: speech of usual loudness about the middle. */
export function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const decibels = 10 * Math.log10(power + 1e-9);
  return Math.min(Math.max((decibels + 60) / 60, 0), 1);
}
