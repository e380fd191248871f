// How much speech passes. A terminal plays what it gets one piece after another: whatever comes faster than it is
// spoken, such as the backlog of a network that stood still, would be a delay for the rest of the talk.
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** What a network may hold back and deliver at once without a gap in the speech. */
export const SPEECH_AHEAD_LIMIT: Limit = { name: 'talk.speech-ahead-ms.line', max: 400 };

export class SpeechGate {
  readonly #sampleRate: number;
  readonly #now: () => number;
  readonly #onLimit: OnLimit | undefined;
  /** Until when the terminal has something to play, by what passed here. */
  #playedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(sampleRate: number, now: () => number, onLimit?: OnLimit) {
    this.#sampleRate = sampleRate;
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** The newest of the samples that still fit. */
  admit(samples: Int16Array): Int16Array {
    const nowMs = this.#now();
    const aheadMs = Math.max(this.#playedUntilMs - nowMs, 0);
    const room = Math.max(Math.floor(((SPEECH_AHEAD_LIMIT.max - aheadMs) * this.#sampleRate) / 1_000), 0);
    const admitted = samples.subarray(Math.max(samples.length - room, 0));
    if (admitted.length < samples.length) this.#onLimit?.(SPEECH_AHEAD_LIMIT);
    this.#playedUntilMs = nowMs + aheadMs + (admitted.length * 1_000) / this.#sampleRate;
    return admitted;
  }
}

/** Little-endian samples of 16 bits; half a sample at the end is left out. */
export function readSpeech(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.byteLength >> 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true);
  return samples;
}
