// Devices with counted traffic that are not known yet: they were added without a notice, such as from the command line, or deleted.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type CountedTraffic, sumOf } from './trafficCounter.ts';

interface Stranger {
  /** Bytes of the device's day; hours and periods are counted elsewhere. */
  bytes: number;
  /** Traffic was counted since the devices were last read: that reading may be from before the device was added. */
  isCounted: boolean;
}

/**
 * Devices that are counted and not known yet. Further ones are found with the next change of a device or plan, and their usage of the day
 * begins then.
 */
export const STRANGERS_LIMIT: Limit = { name: 'netflow.unknown-devices.all', max: 10_000 };

export class Strangers {
  readonly #onLimit: OnLimit;
  readonly #strangers = new Map<number, Stranger>();

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#strangers.size;
  }

  /** True for a device that has to be read from the database. */
  meet({ incarnation, received, sent }: CountedTraffic): boolean {
    const bytes = sumOf(received) + sumOf(sent);
    const known = this.#strangers.get(incarnation);
    if (known !== undefined) {
      known.bytes += bytes;
      known.isCounted = true;
      return false;
    }
    if (this.#strangers.size >= STRANGERS_LIMIT.max) {
      this.#onLimit(STRANGERS_LIMIT);
      return false;
    }
    this.#strangers.set(incarnation, { bytes, isCounted: true });
    return true;
  }

  /** Removes a device that is known now, and gives the bytes counted before. */
  leave(incarnation: number): number {
    const bytes = this.#strangers.get(incarnation)?.bytes ?? 0;
    this.#strangers.delete(incarnation);
    return bytes;
  }

  /** Called when the devices were read and the remaining ones are not among them. Those without traffic since are forgotten. */
  wereNotFound(): void {
    for (const [incarnation, stranger] of this.#strangers) {
      if (!stranger.isCounted) this.#strangers.delete(incarnation);
      stranger.isCounted = false;
    }
  }
}
