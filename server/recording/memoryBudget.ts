/** What is held in memory for the disk, over all channels: bounded, so that a slow disk costs pictures and not the process. */
export class MemoryBudget {
  readonly #limitBytes: number;
  readonly #onFull: () => void;
  #heldBytes = 0;

  constructor(limitBytes: number, onFull: () => void = () => undefined) {
    this.#limitBytes = limitBytes;
    this.#onFull = onFull;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** False when it would go past the limit; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#limitBytes) {
      this.#onFull();
      return false;
    }
    this.#heldBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}
