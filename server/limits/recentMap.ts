/**
 * A map that holds at most so many entries; the one that was set longest ago makes room. For what is remembered of keys
 * that outside input makes up, such as addresses and account names.
 */
export class RecentMap<Value> {
  readonly #max: number;
  readonly #entries = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** The entry becomes the newest. Gives the key that had to make room, if one did. */
  set(key: string, value: Value): string | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return undefined;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
    return oldest;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
