// The units that a new decoder needs to continue where another one was lost: those since the last key frame, and earlier ones while
// pictures after it aren't right without them.
import { KeptGroups } from '../../../shared/protocol/codec/video/keptGroups.ts';
import type { VideoUnit } from '../messages.ts';

export interface RememberedUnit {
  readonly unit: VideoUnit;
  readonly bytes: Uint8Array;
}

/** A longer group is not worth its memory, nor the time to decode it again. */
const MAX_UNITS = 500;
const MAX_BYTES = 8 * 1024 * 1024;

export class GopBuffer {
  readonly #groups = new KeptGroups<RememberedUnit>();

  /** All units so far, from a key frame on; empty when there is none, or the group was too long. */
  get units(): readonly RememberedUnit[] {
    return this.#groups.items();
  }

  /** Units in decoding order. One that is no key frame and has no group before it is not kept. */
  add(unit: VideoUnit, bytes: Uint8Array): void {
    this.#groups.add({ unit, bytes }, unit, bytes);
    while (this.#groups.hasEarlier && this.#isTooMuch()) this.#groups.dropEarliest();
    if (this.#isTooMuch()) this.clear();
  }

  clear(): void {
    this.#groups.clear();
  }

  #isTooMuch(): boolean {
    return this.#groups.count > MAX_UNITS || this.#groups.bytes > MAX_BYTES;
  }
}
