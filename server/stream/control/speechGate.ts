// Limits the rate of speech. A terminal plays what it gets in order, so anything faster than real time, such as the backlog
// after a network stall, would delay the rest of the talk.
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** Speech ahead of the terminal's loudspeaker: a network stall of this length causes no gap. More is dropped. */
export const SPEECH_AHEAD_LIMIT: Limit = { name: 'talk.speech-ahead-ms.line', max: 400 };

export class SpeechGate {
  readonly #sampleRate: number;
  readonly #now: () => number;
  readonly #onLimit: OnLimit | undefined;
  /** When the terminal will have played everything sent so far. */
  #playedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(sampleRate: number, now: () => number, onLimit?: OnLimit) {
    this.#sampleRate = sampleRate;
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** Returns the newest samples that still fit. */
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
