// Counts pictures per stream, for reports that name only the streams where something was shown.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StreamId } from '../stream/messages.ts';
import type { VideoProgress, VideoUnit } from './messages.ts';

interface Totals {
  decoded: number;
  delayMs: number;
  showingOffsetMs: number | undefined;
  decodeMs: number;
  shown: number;
  skipped: number;
  gaps: number;
  codec: number;
  deviceTimeMs: WallMs;
  newestMs: number;
  isReported: boolean;
}

export class ProgressLog {
  readonly #streams = new Map<StreamId, Totals>();

  /** What the stream holds back, and what its decoder takes, from here on. */
  delayed(streamId: StreamId, delays: Pick<VideoProgress, 'delayMs' | 'decodeMs' | 'showingOffsetMs'>): void {
    const totals = this.#totals(streamId);
    totals.delayMs = delays.delayMs;
    totals.decodeMs = delays.decodeMs;
    totals.showingOffsetMs = delays.showingOffsetMs;
  }

  unit(streamId: StreamId, { codec, key, discontinuity }: VideoUnit, isTaken: boolean): void {
    const totals = this.#totals(streamId);
    totals.codec = codec;
    if (key && discontinuity) totals.gaps++;
    if (!isTaken) totals.skipped++;
  }

  decoded(streamId: StreamId): void {
    this.#totals(streamId).decoded++;
  }

  shown(streamId: StreamId, nowMs: number, deviceTimeMs: WallMs): void {
    const totals = this.#totals(streamId);
    totals.shown++;
    totals.newestMs = nowMs;
    totals.deviceTimeMs = deviceTimeMs;
    totals.isReported = false;
  }

  /** The streams with pictures shown since the last time. */
  take(nowMs: number): VideoProgress[] {
    const taken: VideoProgress[] = [];
    for (const [streamId, totals] of this.#streams) {
      if (totals.isReported) continue;
      totals.isReported = true;
      const { isReported: _isReported, newestMs, ...counts } = totals;
      taken.push({ streamId, ...counts, newestAgeMs: nowMs - newestMs });
    }
    return taken;
  }

  forget(streamId: StreamId): void {
    this.#streams.delete(streamId);
  }

  #totals(streamId: StreamId): Totals {
    const known = this.#streams.get(streamId);
    if (known !== undefined) return known;
    const totals = newTotals();
    this.#streams.set(streamId, totals);
    return totals;
  }
}

function newTotals(): Totals {
  return {
    decoded: 0,
    delayMs: 0,
    showingOffsetMs: undefined,
    decodeMs: 0,
    shown: 0,
    skipped: 0,
    gaps: 0,
    codec: 0,
    deviceTimeMs: wallMs(0),
    newestMs: 0,
    isReported: true,
  };
}
