// Work on one thing at a time, each when it is due.

export interface WorkQueueDeps<Item> {
  readonly work: (item: Item) => Promise<void>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

interface Due {
  readonly addedAtMs: number;
  dueMs: number;
}

export class WorkQueue<Item> {
  readonly #deps: WorkQueueDeps<Item>;
  readonly #due = new Map<Item, Due>();
  /** Done before any item. */
  #firsts: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Infinity: no timer runs. */
  #wakesAtMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(deps: WorkQueueDeps<Item>) {
    this.#deps = deps;
  }

  /** With the one that is being worked on. */
  get count(): number {
    return this.#due.size + (this.#running === undefined ? 0 : 1);
  }

  /** Each time it is added it is due later, but not by more than `maxDelayMs` in all; without that, as soon as possible. */
  add(item: Item, delayMs: number, maxDelayMs?: number): void {
    const nowMs = this.#deps.now();
    const known = this.#due.get(item);
    const addedAtMs = known?.addedAtMs ?? nowMs;
    const dueMs = nowMs + delayMs;
    if (known === undefined) this.#due.set(item, { addedAtMs, dueMs });
    else if (maxDelayMs === undefined) known.dueMs = Math.min(known.dueMs, dueMs);
    else known.dueMs = Math.min(dueMs, addedAtMs + maxDelayMs);
    // Late positions of thousands of devices come one by one: it isn't looked through all of them for each.
    if ((this.#due.get(item)?.dueMs ?? dueMs) < this.#wakesAtMs) this.#pump();
  }

  first(work: () => Promise<void>): void {
    this.#firsts.push(work);
    this.#pump();
  }

  remove(item: Item): void {
    this.#due.delete(item);
  }

  /** Waits for the work under way, and for no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#due.clear();
    await this.#running;
  }

  #pump(): void {
    if (this.#running !== undefined || this.#isClosed) return;
    this.#cancelTimer?.();
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
    const work = this.#next();
    if (work !== undefined) {
      this.#running = this.#run(work).then(() => {
        this.#running = undefined;
        this.#pump();
      });
      return;
    }
    if (this.#due.size === 0) return;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#due.values()) nextMs = Math.min(nextMs, dueMs);
    this.#wakesAtMs = nextMs;
    this.#cancelTimer = this.#deps.runAfter(Math.max(0, nextMs - this.#deps.now()), () => this.#pump());
  }

  #next(): (() => Promise<void>) | undefined {
    const first = this.#firsts.shift();
    if (first !== undefined) return first;
    const nowMs = this.#deps.now();
    for (const [item, { dueMs }] of this.#due) {
      if (dueMs > nowMs) continue;
      this.#due.delete(item);
      return () => this.#deps.work(item);
    }
    return undefined;
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#deps.onFault(cause instanceof Error ? cause : new Error('the work on a track failed', { cause }));
    }
  }
}
