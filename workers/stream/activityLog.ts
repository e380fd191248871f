// Counts what comes in per stream, for reports that name only the streams where something came.
import type { StreamActivity, StreamId } from './messages.ts';

interface Totals {
  packets: number;
  bytes: number;
  newestMs: number;
  isReported: boolean;
}

export class ActivityLog {
  readonly #streams = new Map<StreamId, Totals>();

  add(streamId: StreamId, came: { readonly packets: number; readonly bytes: number }, nowMs: number): void {
    const totals = this.#streams.get(streamId) ?? { packets: 0, bytes: 0, newestMs: nowMs, isReported: true };
    totals.packets += came.packets;
    totals.bytes += came.bytes;
    totals.newestMs = nowMs;
    totals.isReported = false;
    this.#streams.set(streamId, totals);
  }

  /** The streams with something new since the last time. */
  take(nowMs: number): StreamActivity[] {
    const taken: StreamActivity[] = [];
    for (const [streamId, totals] of this.#streams) {
      if (totals.isReported) continue;
      totals.isReported = true;
      const { packets, bytes, newestMs } = totals;
      taken.push({ streamId, packets, bytes, newestAgeMs: nowMs - newestMs });
    }
    return taken;
  }

  forget(streamId: StreamId): void {
    this.#streams.delete(streamId);
  }
}
