// Which devices are looked at next: those about which something is new, then the others in turn. Pure.

export class DeviceTurns {
  /** By incarnation: devices with open items, the longest unseen first. */
  readonly #all = new Set<number>();
  readonly #urgent = new Set<number>();

  get size(): number {
    return this.#all.size;
  }

  add(incarnation: number): void {
    this.#all.add(incarnation);
  }

  /** Something is new about it. */
  kick(incarnation: number): void {
    this.#all.add(incarnation);
    this.#urgent.add(incarnation);
  }

  /** It has nothing to be fetched. */
  remove(incarnation: number): void {
    this.#all.delete(incarnation);
    this.#urgent.delete(incarnation);
  }

  /** So many, each once; they go to the end. */
  take(count: number): number[] {
    const taken: number[] = [];
    for (const incarnation of [...this.#urgent, ...this.#all]) {
      if (taken.length >= count) break;
      if (!taken.includes(incarnation)) taken.push(incarnation);
    }
    for (const incarnation of taken) {
      this.#urgent.delete(incarnation);
      this.#all.delete(incarnation);
      this.#all.add(incarnation);
    }
    return taken;
  }
}
