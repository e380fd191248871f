// When all of a playback has come, though it goes on: some terminals ignore the end of what they are asked for, and play the rest of
// their card, or begin anew. Pure.
import { DeviceTimes, type KeyTimes } from '../../ingest/deviceTimes.ts';
import type { IngestTarget } from '../../ingest/ingest.ts';

/** What whole seconds of clocks leave over. */
const OVERRUN_MS = 5_000;
/** Before the end, and of a step back to a new beginning. A clock that is set back elsewhere in a recording ends nothing. */
const STEP_MS = 15_000;

export class PlaybackEnd {
  readonly #times: DeviceTimes;
  readonly #toMs: number;
  #latestMs = Number.NEGATIVE_INFINITY;

  constructor(asked: Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs'>) {
    this.#times = new DeviceTimes(asked);
    this.#toMs = asked.deviceToMs;
  }

  /** Whether a key frame lies behind all that was asked for; it is told of each in their order. `recordedEndMs`: as the device listed it. */
  isBehind(key: KeyTimes, recordedEndMs = Number.POSITIVE_INFINITY): boolean {
    const atMs = this.#times.ofKey(key);
    if (atMs > this.#toMs + OVERRUN_MS) return true;
    const hasReachedEnd = this.#latestMs >= Math.min(this.#toMs, recordedEndMs) - STEP_MS;
    const isAnew = hasReachedEnd && atMs < this.#latestMs - STEP_MS;
    this.#latestMs = Math.max(this.#latestMs, atMs);
    return isAnew;
  }
}
