// The reasons to receive nothing for a while: a member has paused it, somebody watches the device's card, the bandwidth is used up, or the
// disk has to catch up.

export type HoldReason = 'member' | 'viewers' | 'bandwidth' | 'writing';

export class Hold {
  readonly #reasons = new Set<HoldReason>();
  readonly #listeners = new Set<(isHeld: boolean) => void>();

  get isHeld(): boolean {
    return this.#reasons.size > 0;
  }

  has(reason: HoldReason): boolean {
    return this.#reasons.has(reason);
  }

  set(reason: HoldReason, isHeld: boolean): void {
    const before = this.isHeld;
    if (isHeld) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    if (before !== this.isHeld) for (const listener of [...this.#listeners]) listener(this.isHeld);
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: (isHeld: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
