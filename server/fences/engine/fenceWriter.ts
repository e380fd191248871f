// Writes what devices did to fences behind their positions, some at once.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { FenceMovement, FenceMovementStore } from '../../store/fences/fenceMovements.ts';

export interface FenceWriterDeps {
  readonly store: Pick<FenceMovementStore, 'write'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

/**
 * Entries and exits that wait for the database. The oldest are left out, since later ones say where the devices are now; events aren't left
 * out.
 */
export const MOVEMENTS_LIMIT: Limit = { name: 'fences.movements.all', max: 50_000 };
const WRITE_AFTER_MS = 500;
const RETRY_AFTER_MS = 5_000;
const AT_ONCE = 500;

export class FenceWriter {
  readonly #deps: FenceWriterDeps;
  #waiting: FenceMovement[] = [];
  #writing: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: FenceWriterDeps) {
    this.#deps = deps;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  add(movement: FenceMovement): void {
    if (this.#waiting.length >= MOVEMENTS_LIMIT.max) {
      this.#waiting.shift();
      this.#deps.onLimit(MOVEMENTS_LIMIT);
    }
    this.#waiting.push(movement);
    this.#writeAfter(WRITE_AFTER_MS);
  }

  /** Writes what is waiting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#writing;
    while (this.#waiting.length > 0) if (!(await this.#writeSome())) return;
  }

  #writeAfter(delayMs: number): void {
    if (this.#cancel !== undefined || this.#writing !== undefined || this.#isClosed) return;
    this.#cancel = this.#deps.runAfter(delayMs, () => {
      this.#cancel = undefined;
      this.#writing = this.#round();
    });
  }

  async #round(): Promise<void> {
    const isWritten = await this.#writeSome();
    this.#writing = undefined;
    if (this.#waiting.length > 0) this.#writeAfter(isWritten ? 0 : RETRY_AFTER_MS);
  }

  /** Whether it is written; otherwise it waits for another time. */
  async #writeSome(): Promise<boolean> {
    const some = this.#waiting.splice(0, AT_ONCE);
    try {
      await this.#deps.store.write(some);
      return true;
    } catch (cause) {
      this.#waiting.unshift(...some);
      this.#deps.onFault(new Error('where devices are to fences could not be written', { cause }));
      return false;
    }
  }
}
