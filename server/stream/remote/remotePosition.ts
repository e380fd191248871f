// Where in a recording a packet stands. Pure.

import type { PacketTimes } from '../../../shared/protocol/stream/streamPacket.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';

/**
 * A date further than this outside the requested range isn't the recording's: the terminal's clock is wrong or in another
 * zone.
 */
const PLAUSIBLE_MS = 10 * 60 * 1000;

export interface RecordedRange {
  readonly start: WallMs;
  readonly end: WallMs;
}

/** Uses the date in a packet if it is plausible, else counts on from where playback began. */
export class RemotePosition {
  readonly #range: RecordedRange;
  #base: { readonly positionMs: number; readonly mediaTimeUs: number } | undefined;
  #startMs: number;

  constructor(range: RecordedRange) {
    this.#range = range;
    this.#startMs = range.start;
  }

  /** What comes next is from there. */
  jumpTo(position: WallMs): void {
    this.#startMs = position;
    this.#base = undefined;
  }

  /** Whether the packet's own date is used. */
  isDated({ deviceTimeMs }: Pick<PacketTimes, 'deviceTimeMs'>): boolean {
    const { start, end } = this.#range;
    return deviceTimeMs >= start - PLAUSIBLE_MS && deviceTimeMs <= end + PLAUSIBLE_MS;
  }

  of({ mediaTimeUs, deviceTimeMs }: PacketTimes): WallMs {
    this.#base ??= { positionMs: this.#startMs, mediaTimeUs };
    if (this.isDated({ deviceTimeMs })) return deviceTimeMs;
    return wallMs(this.#base.positionMs + (mediaTimeUs - this.#base.mediaTimeUs) / 1000);
  }
}
