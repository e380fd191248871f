// The units since the last key frame: what a new decoder needs to go on where another one was lost.
import type { VideoUnit } from '../messages.ts';

export interface RememberedUnit {
  readonly unit: VideoUnit;
  readonly bytes: Uint8Array;
}

/** A longer group is not worth its memory, nor the time to decode it again. */
const MAX_UNITS = 500;
const MAX_BYTES = 8 * 1024 * 1024;

export class GopBuffer {
  #units: RememberedUnit[] = [];
  #bytes = 0;

  /** The whole group so far, from its key frame on; empty when there is none, or it was too long. */
  get units(): readonly RememberedUnit[] {
    return this.#units;
  }

  /** Units in decoding order. One that is no key frame and has no group before it is not kept. */
  add(unit: VideoUnit, bytes: Uint8Array): void {
    if (unit.key) this.clear();
    else if (this.#units.length === 0) return;
    this.#units.push({ unit, bytes });
    this.#bytes += bytes.byteLength;
    if (this.#units.length > MAX_UNITS || this.#bytes > MAX_BYTES) this.clear();
  }

  clear(): void {
    this.#units = [];
    this.#bytes = 0;
  }
}
