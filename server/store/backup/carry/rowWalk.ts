import type { JsonCell } from '../cells.ts';
import type { Snapshot, TableShape } from '../snapshot.ts';

export type JsonRow = readonly JsonCell[];

/** The rows of a table one by one, in the order of its key. */
export class RowWalk {
  readonly #parts: AsyncIterator<readonly JsonRow[]>;
  #part: readonly JsonRow[] = [];
  #at = 0;

  constructor(snapshot: Snapshot, table: TableShape) {
    this.#parts = snapshot.rows(table)[Symbol.asyncIterator]();
  }

  /** The row that comes next; undefined at the end. */
  async peek(): Promise<JsonRow | undefined> {
    while (this.#at >= this.#part.length) {
      const next = await this.#parts.next();
      if (next.done === true) return undefined;
      this.#part = next.value;
      this.#at = 0;
    }
    return this.#part[this.#at];
  }

  skip(): void {
    this.#at++;
  }
}
