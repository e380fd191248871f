// Measures how late pictures come out of the decoder, from the time at which their units were due.
import type { MediaUs } from '../../../shared/protocol/time.ts';

/** Up to this lateness a picture is shown even if a newer one follows. */
export const LATE_MS = 200;
/** However late pictures are, one is shown this often. */
const MOST_STILL_MS = 500;
/** More than any decoder holds; beyond it the oldest are forgotten. */
const MAX_TURNS = 512;

export class TurnLog {
  readonly #turns = new Map<MediaUs, number>();

  note(mediaTimeUs: MediaUs, dueMs: number): void {
    this.#turns.set(mediaTimeUs, dueMs);
    if (this.#turns.size <= MAX_TURNS) return;
    const [oldest] = this.#turns.keys();
    if (oldest !== undefined) this.#turns.delete(oldest);
  }

  /** Milliseconds from a unit's turn to its picture. Asked once for each picture. */
  lateness(mediaTimeUs: MediaUs, nowMs: number): number {
    const dueMs = this.#turns.get(mediaTimeUs) ?? nowMs;
    for (const turn of this.#turns.keys()) if (turn <= mediaTimeUs) this.#turns.delete(turn);
    return nowMs - dueMs;
  }

  clear(): void {
    this.#turns.clear();
  }
}

/**
 * Interval between two late pictures. Most of the work is painting, so the later a machine is, the less it paints, and
 * catches up. Of the pictures decoded meanwhile only the newest is shown.
 */
export function paintIntervalMs(latenessMs: number): number {
  return latenessMs > LATE_MS ? Math.min(latenessMs, MOST_STILL_MS) : 0;
}
