/** Work that nobody waits for until a stop, which waits for all that has begun. */
export class PendingWork {
  readonly #pending = new Set<Promise<unknown>>();

  /** Gives the work back, whose rejection stays its caller's. */
  add<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending.add(work);
    const leave = (): void => void this.#pending.delete(work);
    work.then(leave, leave);
    return work;
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }
}
