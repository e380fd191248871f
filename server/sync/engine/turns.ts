// Selects the devices to check next: those with news first, then the others in turn; of either kind one of each member group after another,
// so that a group with thousands of devices holds up no other. Pure.

export class DeviceTurns {
  /** Devices with open items, by incarnation, the longest unseen first. */
  readonly #all = new Set<number>();
  readonly #urgent = new Set<number>();
  readonly #groupOf: (incarnation: number) => number;

  constructor(groupOf: (incarnation: number) => number) {
    this.#groupOf = groupOf;
  }

  get size(): number {
    return this.#all.size;
  }

  add(incarnation: number): void {
    this.#all.add(incarnation);
  }

  /** Called when there is news about the device. */
  kick(incarnation: number): void {
    this.#all.add(incarnation);
    this.#urgent.add(incarnation);
  }

  /** Called when the device has nothing to be fetched. */
  remove(incarnation: number): void {
    this.#all.delete(incarnation);
    this.#urgent.delete(incarnation);
  }

  /** The next `count` devices, each once; they go to the end. */
  take(count: number): number[] {
    const urgent = this.#inTurn(this.#urgent).slice(0, count);
    const taken = new Set(urgent.length < count ? [...urgent, ...this.#inTurn(this.#all)] : urgent);
    const next = [...taken].slice(0, count);
    for (const incarnation of next) {
      this.#urgent.delete(incarnation);
      this.#all.delete(incarnation);
      this.#all.add(incarnation);
    }
    return next;
  }

  /** One of each group, then another one of each. */
  #inTurn(devices: Iterable<number>): number[] {
    const groups = new Map<number, number[]>();
    for (const incarnation of devices) {
      const memberGroup = this.#groupOf(incarnation);
      const own = groups.get(memberGroup);
      if (own === undefined) groups.set(memberGroup, [incarnation]);
      else own.push(incarnation);
    }
    const lists = [...groups.values()];
    if (lists.length === 1) return lists[0] ?? [];
    const inTurn: number[] = [];
    const rounds = Math.max(0, ...lists.map(({ length }) => length));
    for (let at = 0; at < rounds; at++) for (const list of lists) inTurn.push(...list.slice(at, at + 1));
    return inTurn;
  }
}
