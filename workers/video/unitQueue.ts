// Holds encoded units back until their turn. Encoded, since a decoder has only some ten pictures to lend out.
import type { VideoUnit } from './messages.ts';

export interface QueuedUnit {
  readonly unit: VideoUnit;
  readonly bytes: Uint8Array;
  readonly arrivedMs: number;
  readonly dueMs: number;
}

export interface UnitQueueDeps {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onDue: (queued: QueuedUnit) => void;
}

export class UnitQueue {
  readonly #deps: UnitQueueDeps;
  #held: QueuedUnit[] = [];
  #cancel: (() => void) | undefined;

  constructor(deps: UnitQueueDeps) {
    this.#deps = deps;
  }

  /** Units keep their order whatever their turns. One whose turn has come, with none before it, goes at once. */
  push(queued: QueuedUnit): void {
    if (this.#held.length === 0 && queued.dueMs <= this.#deps.now()) {
      this.#deps.onDue(queued);
      return;
    }
    this.#held.push(queued);
    this.#arm();
  }

  /** Drops what is held. Safe to call twice. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#held = [];
  }

  #arm(): void {
    const [first] = this.#held;
    if (first === undefined || this.#cancel !== undefined) return;
    this.#cancel = this.#deps.after(Math.max(0, first.dueMs - this.#deps.now()), () => {
      this.#cancel = undefined;
      this.#release();
      this.#arm();
    });
  }

  #release(): void {
    // A timer may come a fraction of a millisecond early.
    const untilMs = this.#deps.now() + 0.5;
    while (this.#held[0] !== undefined && this.#held[0].dueMs <= untilMs) {
      const queued = this.#held.shift();
      if (queued !== undefined) this.#deps.onDue(queued);
    }
  }
}
