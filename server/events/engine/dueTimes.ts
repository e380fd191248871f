/** The times at which things are due, to the second: one timer is enough for all of them. Each thing is in one place only. */
export class DueTimes<Thing> {
  readonly #bySecond = new Map<number, Set<Thing>>();
  readonly #seconds = new Map<Thing, number>();
  /** No earlier second has anything due. */
  #firstSecond = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#seconds.size;
  }

  /**
   * Schedules the thing, unless it is due earlier already: then it is woken too early and schedules itself again, which costs
   * less than moving it with every report.
   */
  schedule(thing: Thing, atMs: number): void {
    if (atMs === Number.POSITIVE_INFINITY) return;
    const second = Math.ceil(atMs / 1_000);
    const earlier = this.#seconds.get(thing);
    if (earlier !== undefined && earlier <= second) return;
    if (earlier !== undefined) this.#remove(thing, earlier);
    this.#seconds.set(thing, second);
    const others = this.#bySecond.get(second);
    if (others === undefined) this.#bySecond.set(second, new Set([thing]));
    else others.add(thing);
    if (second < this.#firstSecond) this.#firstSecond = second;
  }

  forget(thing: Thing): void {
    const second = this.#seconds.get(thing);
    if (second === undefined) return;
    this.#seconds.delete(thing);
    this.#remove(thing, second);
  }

  /** Removes and returns the things that are due by then. */
  takeDue(nowMs: number): Thing[] {
    const nowSecond = Math.floor(nowMs / 1_000);
    if (nowSecond < this.#firstSecond) return [];
    const due: Thing[] = [];
    this.#firstSecond = Number.POSITIVE_INFINITY;
    for (const [second, things] of this.#bySecond) {
      if (second > nowSecond) {
        this.#firstSecond = Math.min(this.#firstSecond, second);
        continue;
      }
      this.#bySecond.delete(second);
      for (const thing of things) {
        this.#seconds.delete(thing);
        due.push(thing);
      }
    }
    return due;
  }

  #remove(thing: Thing, second: number): void {
    const things = this.#bySecond.get(second);
    things?.delete(thing);
    if (things?.size === 0) this.#bySecond.delete(second);
  }
}
