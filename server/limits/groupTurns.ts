interface Waiting {
  readonly memberGroup: number;
  readonly begin: () => void;
}

/**
 * Lets so many jobs run at a time. Next is the member group with the fewest under way, and of these the one whose turn was longest ago:
 * whoever has one job is not behind somebody's hundred.
 */
export class GroupTurns {
  readonly #width: number;
  /** The longest waiting first. */
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<number, number>();
  /** By member group. Forgotten when nothing is under way. */
  readonly #lastTurns = new Map<number, number>();
  #runningInAll = 0;
  #turns = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  async run<Value>(memberGroup: number, job: () => Promise<Value>): Promise<Value> {
    if (this.#runningInAll < this.#width) this.#begun(memberGroup);
    else await new Promise<void>((begin) => this.#waiting.push({ memberGroup, begin }));
    try {
      return await job();
    } finally {
      this.#ended(memberGroup);
    }
  }

  #begun(memberGroup: number): void {
    this.#runningInAll++;
    this.#running.set(memberGroup, this.#runningOf(memberGroup) + 1);
    this.#turns++;
    this.#lastTurns.set(memberGroup, this.#turns);
  }

  #ended(memberGroup: number): void {
    this.#runningInAll--;
    const running = this.#runningOf(memberGroup) - 1;
    if (running > 0) this.#running.set(memberGroup, running);
    else this.#running.delete(memberGroup);
    const next = this.#takeNext();
    if (next !== undefined) {
      // The place is handed on at once: whoever asks meanwhile comes behind.
      this.#begun(next.memberGroup);
      next.begin();
    } else if (this.#runningInAll === 0) this.#lastTurns.clear();
  }

  #takeNext(): Waiting | undefined {
    let best: { readonly at: number; readonly running: number; readonly lastTurn: number } | undefined;
    for (const [at, { memberGroup }] of this.#waiting.entries()) {
      const running = this.#runningOf(memberGroup);
      const lastTurn = this.#lastTurns.get(memberGroup) ?? 0;
      const isBetter =
        best === undefined || running < best.running || (running === best.running && lastTurn < best.lastTurn);
      if (isBetter) best = { at, running, lastTurn };
    }
    return best === undefined ? undefined : this.#waiting.splice(best.at, 1)[0];
  }

  #runningOf(memberGroup: number): number {
    return this.#running.get(memberGroup) ?? 0;
  }
}
