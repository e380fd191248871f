// Where the stream of a recording that was told to go elsewhere begins to come from there. Media and commands travel on
// two connections, so packets of the old place still arrive, before the terminal's answer and after it. Pure.
import type { WallMs } from '../../../shared/protocol/time.ts';

export interface SeekCandidate {
  readonly isKey: boolean;
  /** The stream's own clock jumped here, or was seen to jump on the way. */
  readonly isDiscontinuous: boolean;
  /** Its date is further from that of the picture before it than playing explains. */
  readonly isElsewhere: boolean;
  /** The position is the recording's own date, not counted on. */
  readonly isDated: boolean;
  readonly position: WallMs;
}

/** Playing begins at the key frame before the place that was asked for; cameras have been seen with one in ten seconds. */
const BEFORE_MS = 15_000;
const AFTER_MS = 1_000;
/** A terminal that has answered sends from the new place within this, whatever its stamps say. */
const PATIENCE_MS = 2_000;

export class SeekGate {
  readonly #target: WallMs;
  /** The jump that is seen may be that of the order before this one. */
  readonly #follows: boolean;
  #answeredAtMs: number | undefined;
  #hasJumped = false;
  #hasMoved = false;

  constructor(target: WallMs, follows = false) {
    this.#target = target;
    this.#follows = follows;
  }

  /** The terminal has answered, whatever it said. */
  answered(nowMs: number): void {
    this.#answeredAtMs = nowMs;
  }

  /** Whether this packet is the first from the new place. */
  admits({ isKey, isDiscontinuous, isElsewhere, isDated, position }: SeekCandidate, nowMs: number): boolean {
    this.#hasJumped ||= isDiscontinuous;
    this.#hasMoved ||= isElsewhere;
    if (!isKey) return false;
    const isThere = position >= this.#target - BEFORE_MS && position <= this.#target + AFTER_MS;
    const isTrusted = !this.#follows || (isDated && isThere);
    if (this.#hasJumped && isTrusted) return true;
    // The dates move where pictures are missing too, hence only with the right date.
    if (this.#hasMoved && isDated && isThere) return true;
    if (this.#answeredAtMs === undefined) return false;
    return isThere || nowMs - this.#answeredAtMs >= PATIENCE_MS;
  }
}
