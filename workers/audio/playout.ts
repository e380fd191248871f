// Plays one stream's chunks as a continuous signal. Only a few chunks are buffered: a backlog is played faster or dropped,
// because sound that lags behind the picture is worse than a click.
import { Resampler } from './resampler.ts';

export interface AudioChunk {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  /** How many chunks may be held. */
  readonly limit: number;
}

/** The gain that the specification asks for; the result is clipped, never wrapped. */
const GAIN = 5;
/** Silence before the first chunk, which covers the network's jitter. */
const LEAST_MARGIN_MS = 20;
const MOST_MARGIN_MS = 1_000;
/** Each gap raises the margin, each stretch without one lowers it. */
const MARGIN_STEP_MS = 15;
const CALM_MS = 2_000;
/** Gaps this soon after the first chunk are caused by starting, not by the network. */
const START_MS = 1_500;
/** The smallest amount buffered during this time isn't needed. */
const BACKLOG_WINDOW_MS = 500;
/** A buffer above the margin by the first value is played faster, above the second one dropped. */
const FAST_ABOVE_MS = 8;
const DROP_ABOVE_MS = 30;
/** Too small a change for the ear to notice as pitch. */
const FAST = 1.008;

export class Playout {
  readonly #outputRate: number;
  readonly #chunks: AudioChunk[] = [];
  #resampler: Resampler | undefined;
  #sourceRate = 0;
  /** Place in the first chunk. */
  #position = 0;
  #heldSamples = 0;
  /** Source samples of silence still to come before the first chunk. */
  #silence = 0;
  #isPlaying = false;
  #delayMs = 0;
  #learnedMs = LEAST_MARGIN_MS;
  #calmMs = 0;
  #playedMs = 0;
  #windowMs = 0;
  #leastHeldMs = Number.POSITIVE_INFINITY;
  #speed = 1;
  readonly #read = (): number => this.#nextSample();

  constructor(outputRate: number) {
    this.#outputRate = outputRate;
  }

  push(chunk: AudioChunk): void {
    if (chunk.samples.length === 0) return;
    if (chunk.sampleRate !== this.#sourceRate) this.#changeRate(chunk.sampleRate);
    this.#chunks.push(chunk);
    this.#heldSamples += chunk.samples.length;
    while (this.#chunks.length > chunk.limit) this.#dropFirst();
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    this.#silence = Math.round((this.#marginMs * this.#sourceRate) / 1_000);
    this.#restartWindow();
  }

  /** How long the stream's pictures are delayed. */
  setDelay(delayMs: number): void {
    this.#delayMs = Math.min(delayMs, MOST_MARGIN_MS);
  }

  /** Drops what is buffered: it belongs to another connection or position. */
  clear(): void {
    this.#chunks.length = 0;
    this.#heldSamples = 0;
    this.#position = 0;
    this.#silence = 0;
    this.#isPlaying = false;
  }

  /** Fills `output` with the next samples, silence when there are none. */
  pull(output: Float32Array): void {
    const resampler = this.#resampler;
    if (resampler === undefined) {
      output.fill(0);
      return;
    }
    for (let index = 0; index < output.length; index++) {
      const sample = resampler.next(this.#read, this.#speed) * GAIN;
      output[index] = Math.min(Math.max(sample, -1), 1);
    }
    if (this.#isPlaying) this.#pace((output.length * 1_000) / this.#outputRate);
  }

  get heldMs(): number {
    return this.#sourceRate === 0
      ? 0
      : ((this.#heldSamples - this.#position + this.#silence) * 1_000) / this.#sourceRate;
  }

  get #marginMs(): number {
    return Math.max(this.#learnedMs, this.#delayMs);
  }

  #changeRate(sampleRate: number): void {
    this.clear();
    this.#sourceRate = sampleRate;
    this.#resampler = new Resampler(sampleRate, this.#outputRate);
  }

  #nextSample(): number {
    if (this.#silence > 0) {
      this.#silence--;
      return 0;
    }
    const [first] = this.#chunks;
    if (first === undefined) {
      this.#noteGap();
      return 0;
    }
    const sample = first.samples[this.#position] ?? 0;
    this.#position++;
    if (this.#position >= first.samples.length) this.#dropFirst();
    return sample;
  }

  #dropFirst(): void {
    this.#heldSamples -= this.#chunks.shift()?.samples.length ?? 0;
    this.#position = 0;
  }

  #noteGap(): void {
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    this.#calmMs = 0;
    if (this.#playedMs < START_MS) return;
    this.#learnedMs = Math.min(this.#learnedMs + MARGIN_STEP_MS, MOST_MARGIN_MS);
  }

  /** After each stretch of output, decides whether to play faster, drop, or lower the margin. */
  #pace(durationMs: number): void {
    this.#leastHeldMs = Math.min(this.#leastHeldMs, this.heldMs);
    this.#windowMs += durationMs;
    this.#calmMs += durationMs;
    this.#playedMs += durationMs;
    if (this.#calmMs >= CALM_MS) {
      this.#calmMs = 0;
      this.#learnedMs = Math.max(this.#learnedMs - MARGIN_STEP_MS, LEAST_MARGIN_MS);
    }
    if (this.#windowMs < BACKLOG_WINDOW_MS) return;
    const excessMs = this.#leastHeldMs - this.#marginMs;
    if (excessMs > DROP_ABOVE_MS) this.#skip(excessMs);
    // If pictures are delayed longer than before, the buffer grows by playing slower.
    const isShort = this.#leastHeldMs < this.#delayMs - DROP_ABOVE_MS;
    this.#speed = excessMs > FAST_ABOVE_MS ? FAST : isShort ? 1 / FAST : 1;
    this.#restartWindow();
  }

  #skip(durationMs: number): void {
    let left = Math.round((durationMs * this.#sourceRate) / 1_000);
    while (left > 0 && this.#chunks.length > 0) {
      const rest = (this.#chunks[0]?.samples.length ?? 0) - this.#position;
      if (rest > left) this.#position += left;
      else this.#dropFirst();
      left -= rest;
    }
  }

  #restartWindow(): void {
    this.#windowMs = 0;
    this.#leastHeldMs = Number.POSITIVE_INFINITY;
  }
}
