// Works on a few items at a time, on each when it is due and never twice at once.

export interface WorkQueueDeps<Item> {
  /** Maximum of items that are worked on together. */
  readonly atOnce: number;
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
  readonly #active = new Map<Item, Promise<void>>();
  /** Work that is done before any further item, with none beside it. */
  #firsts: (() => Promise<void>)[] = [];
  #runningFirst: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Infinity: no timer runs. */
  #wakesAtMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(deps: WorkQueueDeps<Item>) {
    this.#deps = deps;
  }

  /** Number of items, including those that are being worked on. */
  get count(): number {
    return this.#due.size + this.#active.size + (this.#runningFirst === undefined ? 0 : 1);
  }

  /** Each call delays the item, but not by more than `maxDelayMs` in all; without `maxDelayMs`, it is due as soon as possible. */
  add(item: Item, delayMs: number, maxDelayMs?: number): void {
    const nowMs = this.#deps.now();
    const known = this.#due.get(item);
    const addedAtMs = known?.addedAtMs ?? nowMs;
    const dueMs = nowMs + delayMs;
    if (known === undefined) this.#due.set(item, { addedAtMs, dueMs });
    else if (maxDelayMs === undefined) known.dueMs = Math.min(known.dueMs, dueMs);
    else known.dueMs = Math.min(dueMs, addedAtMs + maxDelayMs);
    // Late positions of thousands of devices come one by one: not every call may search all items.
    if ((this.#due.get(item)?.dueMs ?? dueMs) < this.#wakesAtMs) this.#pump();
  }

  first(work: () => Promise<void>): void {
    this.#firsts.push(work);
    this.#pump();
  }

  remove(item: Item): void {
    this.#due.delete(item);
  }

  /** Waits for the work under way only. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#due.clear();
    await Promise.all([this.#runningFirst, ...this.#active.values()]);
  }

  #pump(): void {
    if (this.#isClosed || this.#runningFirst !== undefined) return;
    this.#cancelTimer?.();
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
    if (this.#firsts.length > 0) {
      // The end of each active item leads back here.
      if (this.#active.size === 0) this.#startFirst();
      return;
    }
    if (this.#startDue() === 'full') return;
    this.#wakeLater();
  }

  #startFirst(): void {
    const work = this.#firsts.shift();
    if (work === undefined) return;
    this.#runningFirst = this.#run(work).then(() => {
      this.#runningFirst = undefined;
      this.#pump();
    });
  }

  #startDue(): 'full' | 'all-started' {
    const nowMs = this.#deps.now();
    for (const [item, { dueMs }] of this.#due) {
      if (this.#active.size >= this.#deps.atOnce) return 'full';
      if (dueMs > nowMs || this.#active.has(item)) continue;
      this.#due.delete(item);
      const ended = this.#run(() => this.#deps.work(item)).then(() => {
        this.#active.delete(item);
        this.#pump();
      });
      this.#active.set(item, ended);
    }
    return this.#active.size >= this.#deps.atOnce ? 'full' : 'all-started';
  }

  #wakeLater(): void {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [item, { dueMs }] of this.#due) if (!this.#active.has(item)) nextMs = Math.min(nextMs, dueMs);
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.#wakesAtMs = nextMs;
    this.#cancelTimer = this.#deps.runAfter(Math.max(0, nextMs - this.#deps.now()), () => this.#pump());
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#deps.onFault(cause instanceof Error ? cause : new Error('the work on a track failed', { cause }));
    }
  }
}
