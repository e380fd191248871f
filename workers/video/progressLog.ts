// Counts pictures per stream, for reports that name only the streams where something was shown.
import type { StreamId } from '../stream/messages.ts';
import type { VideoProgress } from './messages.ts';

interface Totals {
  decoded: number;
  delayMs: number;
  shown: number;
  newestMs: number;
  isReported: boolean;
}

export class ProgressLog {
  readonly #streams = new Map<StreamId, Totals>();

  /** What the stream holds back from here on. */
  delayed(streamId: StreamId, delayMs: number): void {
    this.#totals(streamId).delayMs = delayMs;
  }

  decoded(streamId: StreamId): void {
    this.#totals(streamId).decoded++;
  }

  shown(streamId: StreamId, nowMs: number): void {
    const totals = this.#totals(streamId);
    totals.shown++;
    totals.newestMs = nowMs;
    totals.isReported = false;
  }

  /** The streams with pictures shown since the last time. */
  take(nowMs: number): VideoProgress[] {
    const taken: VideoProgress[] = [];
    for (const [streamId, totals] of this.#streams) {
      if (totals.isReported) continue;
      totals.isReported = true;
      const { decoded, delayMs, shown, newestMs } = totals;
      taken.push({ streamId, decoded, delayMs, shown, newestAgeMs: nowMs - newestMs });
    }
    return taken;
  }

  forget(streamId: StreamId): void {
    this.#streams.delete(streamId);
  }

  #totals(streamId: StreamId): Totals {
    const known = this.#streams.get(streamId);
    if (known !== undefined) return known;
    const totals: Totals = { decoded: 0, delayMs: 0, shown: 0, newestMs: 0, isReported: true };
    this.#streams.set(streamId, totals);
    return totals;
  }
}
