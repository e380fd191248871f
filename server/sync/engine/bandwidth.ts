// The bandwidth of a rule, shared by all its items: a token bucket that goes into debt. Pure.

/** Burst, in seconds of the rate. */
const BURST_S = 2;

export class Bandwidth {
  #bytesPerSecond: number;
  readonly #now: () => number;
  #tokens = 0;
  #atMs: number;

  /** `kilobitsPerSecond` 0: no limit. */
  constructor(kilobitsPerSecond: number, now: () => number) {
    this.#bytesPerSecond = kilobitsPerSecond * 125;
    this.#now = now;
    this.#atMs = now();
    this.#tokens = this.#bytesPerSecond * BURST_S;
  }

  set kilobitsPerSecond(value: number) {
    this.#refill();
    this.#bytesPerSecond = value * 125;
  }

  /** Takes received bytes; returns how long nothing more should come. */
  take(bytes: number): number {
    if (this.#bytesPerSecond === 0) return 0;
    this.#refill();
    this.#tokens -= bytes;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#bytesPerSecond) * 1_000);
  }

  #refill(): void {
    const nowMs = this.#now();
    const passedS = Math.max(0, nowMs - this.#atMs) / 1_000;
    this.#atMs = nowMs;
    this.#tokens = Math.min(this.#bytesPerSecond * BURST_S, this.#tokens + passedS * this.#bytesPerSecond);
  }
}
