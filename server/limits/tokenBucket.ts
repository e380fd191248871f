/** Lets a burst through, and then so many a second: the rate of one connection's messages. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #atMs: number;

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }, nowMs: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Whether one more may pass now. A clock that was set back only pauses the refill. */
  take(nowMs: number): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedS * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
