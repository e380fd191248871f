// How late pictures come out of the decoder, counted from when the turn of their units was.
import type { MediaUs } from '../../../shared/protocol/time.ts';

/** Up to here a picture is shown whatever comes behind it. */
export const LATE_MS = 200;
/** However late they are, pictures move. */
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
 * How long after the picture before it a late one is shown, for most of the work is painting: a machine that is behind comes
 * back to the present by painting the less, the further behind it is. Of what comes out meanwhile only the newest is shown.
 */
export function paintIntervalMs(latenessMs: number): number {
  return latenessMs > LATE_MS ? Math.min(latenessMs, MOST_STILL_MS) : 0;
}
