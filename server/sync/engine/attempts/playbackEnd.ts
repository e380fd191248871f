// Detects that all of a playback has come, though it goes on: some terminals ignore the end of the requested span, and play the rest of
// their card, or start over. Pure.
import { DeviceTimes, type KeyTimes } from '../../ingest/deviceTimes.ts';
import type { IngestTarget } from '../../ingest/ingest.ts';

/** Tolerance for clocks in whole seconds. */
const OVERRUN_MS = 5_000;
/** Distance to the end, and length of the step back, that mark a new start. A clock that is set back elsewhere ends nothing. */
const STEP_MS = 15_000;

export class PlaybackEnd {
  readonly #times: DeviceTimes;
  readonly #toMs: number;
  #latestMs = Number.NEGATIVE_INFINITY;

  constructor(asked: Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs'>) {
    this.#times = new DeviceTimes(asked);
    this.#toMs = asked.deviceToMs;
  }

  /** Whether a key frame is past everything requested. Called with each in order. `recordedEndMs`: the end that the device has listed. */
  isBehind(key: KeyTimes, recordedEndMs = Number.POSITIVE_INFINITY): boolean {
    const atMs = this.#times.ofKey(key);
    if (atMs > this.#toMs + OVERRUN_MS) return true;
    const hasReachedEnd = this.#latestMs >= Math.min(this.#toMs, recordedEndMs) - STEP_MS;
    const isAnew = hasReachedEnd && atMs < this.#latestMs - STEP_MS;
    this.#latestMs = Math.max(this.#latestMs, atMs);
    return isAnew;
  }
}
