// Whether recordings fit into what may be held. Counting all that is held reads the segments of every hold, so it is not done for
// each event: between two counts the bytes of new holds are added, of which those that overlap count twice.
import type { EvidenceHoldStore, HeldRange } from '../../store/recordings/evidenceHolds.ts';

export interface HeldBytesDeps {
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'bytesWith' | 'bytesIn'>;
  /** Of all that is held as evidence; 0: no limit. */
  readonly maximumBytes: number;
  readonly now: () => number;
}

/** Segments of earlier holds become whole meanwhile, and members hold and release. */
const COUNT_INTERVAL_MS = 10_000;

export class HeldBytes {
  readonly #deps: HeldBytesDeps;
  #bytes = 0;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  /** When a count has found no room. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: HeldBytesDeps) {
    this.#deps = deps;
  }

  async fits(range: HeldRange): Promise<boolean> {
    const { evidenceHolds, maximumBytes, now } = this.#deps;
    if (maximumBytes === 0) return true;
    if (isPast(this.#countedAtMs, now())) await this.#count();
    const bytes = this.#bytes + (await evidenceHolds.bytesIn(range));
    if (bytes <= maximumBytes) {
      this.#bytes = bytes;
      return true;
    }
    if (!isPast(this.#fullAtMs, now())) return false;
    const counted = await evidenceHolds.bytesWith(range);
    if (counted > maximumBytes) this.#fullAtMs = now();
    else this.#bytes = counted;
    return counted <= maximumBytes;
  }

  async #count(): Promise<void> {
    this.#bytes = await this.#deps.evidenceHolds.bytesWith();
    this.#countedAtMs = this.#deps.now();
  }
}

/** A clock that was set back ends the interval too. */
function isPast(atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) >= COUNT_INTERVAL_MS;
}
