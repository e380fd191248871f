// Devices that are counted and not known yet: added where nobody is told of it, such as from the command line; or gone.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type CountedTraffic, sumOf } from './trafficCounter.ts';

interface Stranger {
  /** Of its day; hours and periods have them from elsewhere. */
  bytes: number;
  /** Since the devices were read last: what is read now may be from before it was added. */
  isCounted: boolean;
}

/** Devices. Further ones are found with the next change of a device or plan, and lack in their day what passed before. */
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

  /** True for one that has to be asked for. */
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

  /** It is known now: what was counted of it before. */
  leave(incarnation: number): number {
    const bytes = this.#strangers.get(incarnation)?.bytes ?? 0;
    this.#strangers.delete(incarnation);
    return bytes;
  }

  /** The devices were read, and those that are left are not among them. What is gone and silent is forgotten. */
  wereNotFound(): void {
    for (const [incarnation, stranger] of this.#strangers) {
      if (!stranger.isCounted) this.#strangers.delete(incarnation);
      stranger.isCounted = false;
    }
  }
}
