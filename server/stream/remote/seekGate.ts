// Finds the first packet from the new position after a seek. Media and commands use two connections, so packets from the
// old position still arrive before the terminal's answer and after it. Pure.
import type { WallMs } from '../../../shared/protocol/time.ts';

export interface SeekCandidate {
  readonly isKey: boolean;
  /** The stream's own clock jumped here, or was seen to jump on the way. */
  readonly isDiscontinuous: boolean;
  /** Its date differs from the previous picture's by more than playing accounts for. */
  readonly isElsewhere: boolean;
  /** The position is the recording's own date, not counted on. */
  readonly isDated: boolean;
  readonly position: WallMs;
}

/** Playback starts at the key frame before the position; cameras with ten seconds between key frames exist. */
const BEFORE_MS = 15_000;
const AFTER_MS = 1_000;
/** A terminal that has answered sends from the new position within this time, whatever its time stamps say. */
const PATIENCE_MS = 2_000;

export class SeekGate {
  readonly #target: WallMs;
  /** Another seek came directly before this one, and a jump in the stream may be that one's. */
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
    // Dates also jump where pictures are missing, so a jump counts only if the date is the right one.
    if (this.#hasMoved && isDated && isThere) return true;
    if (this.#answeredAtMs === undefined) return false;
    return isThere || nowMs - this.#answeredAtMs >= PATIENCE_MS;
  }
}
