// Holds things back until their turn, in the order that they came in.

export interface DueQueueDeps<Item> {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onDue: (item: Item) => void;
  /** With more than this, the first goes before its turn. */
  readonly most?: number | undefined;
}

export class DueQueue<Item extends { readonly dueMs: number }> {
  readonly #deps: DueQueueDeps<Item>;
  #held: Item[] = [];
  #cancel: (() => void) | undefined;

  constructor(deps: DueQueueDeps<Item>) {
    this.#deps = deps;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Items keep their order whatever their turns. One whose turn has come, with none before it, goes at once. */
  push(item: Item): void {
    if (this.#held.length === 0 && item.dueMs <= this.#deps.now()) {
      this.#deps.onDue(item);
      return;
    }
    this.#held.push(item);
    if (this.#held.length > (this.#deps.most ?? Number.POSITIVE_INFINITY)) this.#letOut();
    this.#arm();
  }

  /** Gives out what is held; none of it has its turn any more. Safe to call twice. */
  clear(): Item[] {
    this.#cancel?.();
    this.#cancel = undefined;
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #arm(): void {
    const [first] = this.#held;
    if (first === undefined || this.#cancel !== undefined) return;
    this.#cancel = this.#deps.runAfter(Math.max(0, first.dueMs - this.#deps.now()), () => {
      this.#cancel = undefined;
      this.#release();
      this.#arm();
    });
  }

  #release(): void {
    // A timer may come a fraction of a millisecond early.
    const untilMs = this.#deps.now() + 0.5;
    while (this.#held[0] !== undefined && this.#held[0].dueMs <= untilMs) this.#letOut();
  }

  #letOut(): void {
    const item = this.#held.shift();
    if (item !== undefined) this.#deps.onDue(item);
  }
}
