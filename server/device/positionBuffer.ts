import type { Position, PositionStore } from '../store/positions.ts';

export interface PositionBufferDeps {
  readonly store: Pick<PositionStore, 'append'>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** What a kill -9 may cost. A longer wait would make larger transactions, but hardly cheaper ones. */
const FLUSH_DELAY_MS = 500;
/** While the database is away positions pile up here: an hour of a thousand vehicles, then the oldest go. */
const MAX_HELD_POSITIONS = 360_000;

/** Gathers positions so that thousands of terminals make a few transactions a second. */
export class PositionBuffer {
  readonly #deps: PositionBufferDeps;
  #held: Position[] = [];
  #cancelFlush: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: PositionBufferDeps) {
    this.#deps = deps;
  }

  add(position: Position): void {
    this.#held.push(position);
    this.#cancelFlush ??= this.#deps.after(FLUSH_DELAY_MS, () => this.#flush());
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const batch = this.#held;
    if (batch.length === 0) return;
    this.#held = [];
    this.#writing = this.#writing.then(() => this.#write(batch));
  }

  async #write(batch: Position[]): Promise<void> {
    try {
      await this.#deps.store.append(batch);
    } catch (error) {
      this.#deps.onFault(new Error(`${batch.length} positions could not be stored yet`, { cause: error }));
      this.#held = [...batch, ...this.#held].slice(-MAX_HELD_POSITIONS);
      this.#cancelFlush ??= this.#deps.after(FLUSH_DELAY_MS * 10, () => this.#flush());
    }
  }
}
