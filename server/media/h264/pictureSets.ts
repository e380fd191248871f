// The picture parameter sets of a stream, as far as a terminal may make the gateway keep them.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { copyOf, type NalUnit } from './annexB.ts';

/** With what keeping them costs. A camera has one or two of some ten bytes; what a terminal sends as their number is not bounded. */
export const PICTURE_SETS_LIMIT: Limit = { name: 'media.parameter-set-bytes.channel', max: 64 * 1024 };
const SET_OVERHEAD_BYTES = 128;

export class PictureSets {
  readonly #onLimit: OnLimit | undefined;
  readonly #sets = new Map<number, NalUnit>();
  #bytes = 0;

  constructor(onLimit?: OnLimit) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#sets.size;
  }

  all(): Iterable<NalUnit> {
    return this.#sets.values();
  }

  /** Takes the place of the one with the same number. Left out where there is no room. */
  set(number: number, unit: NalUnit): void {
    const bytes = this.#bytes - costOf(this.#sets.get(number)) + costOf(unit);
    if (bytes > PICTURE_SETS_LIMIT.max) {
      this.#onLimit?.(PICTURE_SETS_LIMIT);
      return;
    }
    this.#bytes = bytes;
    this.#sets.set(number, copyOf(unit));
  }

  clear(): void {
    this.#sets.clear();
    this.#bytes = 0;
  }
}

function costOf(unit: NalUnit | undefined): number {
  return unit === undefined ? 0 : unit.bytes.length + SET_OVERHEAD_BYTES;
}
