// Counts the waiting messages of each member group, against a limit that all of them share.
export class WaitingShares {
  readonly #max: number;
  readonly #counts: Map<number, number>;
  #total: number;

  constructor(max: number, counts: ReadonlyMap<number, number> = new Map()) {
    this.#max = max;
    this.#counts = new Map(counts);
    this.#total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Beyond the limit a group still has room up to its equal share: the backlog of another group takes none of it. */
  hasRoom(memberGroup: number): boolean {
    if (this.#total < this.#max) return true;
    const own = this.#counts.get(memberGroup) ?? 0;
    const groups = this.#counts.size + (own === 0 ? 1 : 0);
    return own < this.#max / groups;
  }

  add(memberGroup: number): void {
    this.#counts.set(memberGroup, (this.#counts.get(memberGroup) ?? 0) + 1);
    this.#total++;
  }

  copy(): WaitingShares {
    return new WaitingShares(this.#max, this.#counts);
  }
}
