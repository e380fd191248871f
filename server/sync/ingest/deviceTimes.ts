// The time of the device's clock at each key frame of fetched video. Pure.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { IngestTarget } from './ingest.ts';

/**
 * Files of a card begin before the requested span. A clock that is further off is another one: a terminal that stamps its local time is off
 * by an hour or more.
 */
const TRUSTED_MS = 30 * 60_000;

/** 0: there is no date. */
export function isTrustedDate(
  deviceTimeMs: number,
  { deviceFromMs, deviceToMs }: Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs'>,
): boolean {
  return deviceTimeMs >= deviceFromMs - TRUSTED_MS && deviceTimeMs <= deviceToMs + TRUSTED_MS;
}

export interface KeyTimes {
  readonly mediaTimeUs: number;
  /** 0 when the packet has none. */
  readonly deviceTimeMs: number;
}

/**
 * Dates in the packets count where they are near the requested span. Otherwise the first picture gets the begin of the span, and the others
 * follow by their media times. The first key frame decides for all.
 */
export class DeviceTimes {
  readonly #target: Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs'>;
  #startUs: number | undefined;
  #hasDates = false;

  constructor(target: Pick<IngestTarget, 'deviceFromMs' | 'deviceToMs'>) {
    this.#target = target;
  }

  ofKey({ mediaTimeUs, deviceTimeMs }: KeyTimes): WallMs {
    const { deviceFromMs } = this.#target;
    if (this.#startUs === undefined) {
      this.#startUs = mediaTimeUs;
      this.#hasDates = isTrustedDate(deviceTimeMs, this.#target);
    }
    if (this.#hasDates && deviceTimeMs > 0) return wallMs(deviceTimeMs);
    return wallMs(deviceFromMs + Math.round((mediaTimeUs - this.#startUs) / 1000));
  }
}
