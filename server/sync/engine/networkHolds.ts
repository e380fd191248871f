// Rules for which a device isn't asked because it is on none of the networks that they allow. Each attempt would use its turn for minutes
// of silence, and hold up everything after it.
import { NETWORK_MS } from './afterAttempt.ts';

export class NetworkHolds {
  /** End times by device and rule, the first to end first. */
  readonly #untilMs = new Map<string, number>();

  note(incarnation: number, rule: number, nowMs: number): void {
    for (const [key, atMs] of this.#untilMs) {
      if (atMs > nowMs) break;
      this.#untilMs.delete(key);
    }
    const key = keyOf(incarnation, rule);
    this.#untilMs.delete(key);
    this.#untilMs.set(key, nowMs + NETWORK_MS);
  }

  has(incarnation: number, rule: number, nowMs: number): boolean {
    return (this.#untilMs.get(keyOf(incarnation, rule)) ?? 0) > nowMs;
  }
}

function keyOf(incarnation: number, rule: number): string {
  return `${incarnation} ${rule}`;
}
