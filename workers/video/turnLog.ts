// How late pictures come out of the decoder, counted from when the turn of their units was.
import type { MediaUs } from '../../shared/protocol/time.ts';

/** A picture so late, with a newer one behind it, is left out: a machine that is behind comes back by painting less. */
export const LATE_MS = 250;
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

  /** Asked once for each picture. */
  isLate(mediaTimeUs: MediaUs, nowMs: number): boolean {
    const dueMs = this.#turns.get(mediaTimeUs) ?? nowMs;
    for (const turn of this.#turns.keys()) if (turn <= mediaTimeUs) this.#turns.delete(turn);
    return nowMs - dueMs > LATE_MS;
  }

  clear(): void {
    this.#turns.clear();
  }
}
