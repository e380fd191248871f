// Compares rows of the present database with those of an archive by their primary keys. Both come in the order of their keys, like in
// snapshots and archives, so that only one row of each is held.
import type { CellType, JsonCell } from '../../store/backup/cells.ts';

export interface Compared {
  /** Rows in the archive alone. */
  readonly added: number;
  /** Rows in both, whatever their contents. */
  readonly kept: number;
  /** Rows in the present database alone. */
  readonly removed: number;
}

export interface KeyedRow {
  readonly key: readonly JsonCell[];
  /** Name of the row, where names are listed. */
  readonly name: string;
}

export interface KeyComparisonDeps {
  /** Types of the key's columns. */
  readonly types: readonly CellType[];
  readonly present: AsyncIterator<KeyedRow>;
  /** Called with each row that is in the present database alone. */
  readonly onRemoved: (name: string) => void;
}

/** Rows of the archive are passed in; it reads those of the present database itself. */
export class KeyComparison {
  readonly #deps: KeyComparisonDeps;
  #added = 0;
  #kept = 0;
  #removed = 0;
  #archived: KeyedRow['key'] | undefined;
  /** `none`: it has to be read; undefined: there are no more rows. */
  #next: KeyedRow | undefined | 'none' = 'none';
  /** Archives can come from anybody, and an earlier schema had other keys: rows in another order can't be compared. */
  #isInOrder = true;

  constructor(deps: KeyComparisonDeps) {
    this.#deps = deps;
  }

  async take(key: KeyedRow['key']): Promise<void> {
    if (!this.#isInOrder) return;
    this.#isInOrder = this.#archived === undefined || this.#order(this.#archived, key) < 0;
    if (!this.#isInOrder) return;
    this.#archived = key;
    for (;;) {
      const present = await this.#present();
      const order = present === undefined ? 1 : this.#order(present.key, key);
      if (order > 0) {
        this.#added++;
        return;
      }
      this.#next = 'none';
      if (order === 0) {
        this.#kept++;
        return;
      }
      this.#remove(present);
    }
  }

  /** Undefined: the archive's rows are in another order. */
  async finish(): Promise<Compared | undefined> {
    if (!this.#isInOrder) return undefined;
    for (let left = await this.#present(); left !== undefined; left = await this.#present()) {
      this.#next = 'none';
      this.#remove(left);
    }
    return { added: this.#added, kept: this.#kept, removed: this.#removed };
  }

  async #present(): Promise<KeyedRow | undefined> {
    if (this.#next === 'none') {
      const { done, value } = await this.#deps.present.next();
      this.#next = done === true ? undefined : value;
    }
    return this.#next;
  }

  #remove(row: KeyedRow | undefined): void {
    this.#removed++;
    if (row !== undefined) this.#deps.onRemoved(row.name);
  }

  #order(one: KeyedRow['key'], other: KeyedRow['key']): number {
    return orderOfKeys(one, other, this.#deps.types);
  }
}

/** The order of keys in both engines. */
function orderOfKeys(one: KeyedRow['key'], other: KeyedRow['key'], types: readonly CellType[]): number {
  for (const [at, type] of types.entries()) {
    const order = orderOfCells(one[at] ?? null, other[at] ?? null, type);
    if (order !== 0) return order;
  }
  return 0;
}

function orderOfCells(one: JsonCell, other: JsonCell, type: CellType): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  switch (type) {
    case 'integer':
      return orderOfIntegers(one, other);
    case 'real':
      return Number(one) - Number(other);
    case 'text':
      // The order is by bytes: characters beyond the first 65,536 have another place in the order of strings.
      return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
    case 'blob':
      return Buffer.compare(Buffer.from(String(one), 'base64'), Buffer.from(String(other), 'base64'));
  }
}

/** Integers beyond 2^53 are texts of digits, which numbers can't all distinguish. */
function orderOfIntegers(one: number | string, other: number | string): number {
  const difference = Number(one) - Number(other);
  if (difference !== 0) return difference;
  const [first, second] = [BigInt(one), BigInt(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
