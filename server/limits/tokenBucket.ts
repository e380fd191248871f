/** Lets a burst through, and then so many a second: the rate of one connection's messages, or of their bytes. */
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

  /** Whether one more may pass now, or so many at once. A clock that was set back only pauses the refill. */
  take(nowMs: number, count = 1): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedS * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** One that was taken was not needed. */
  giveBack(): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }
}
