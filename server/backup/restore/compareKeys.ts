// Rows of the present database and of an archive, told apart by their primary keys. Both come in the order of their keys, as
// snapshots and archives have them, so that one row of each is held.
import type { CellType, JsonCell } from '../../store/backup/cells.ts';

export interface Compared {
  /** In the archive alone. */
  readonly added: number;
  /** In both, whatever they say. */
  readonly kept: number;
  /** In the present database alone. */
  readonly removed: number;
}

export interface KeyedRow {
  readonly key: readonly JsonCell[];
  /** What it is called, where that is told. */
  readonly name: string;
}

export interface KeyComparisonDeps {
  /** Of the key's columns. */
  readonly types: readonly CellType[];
  readonly present: AsyncIterator<KeyedRow>;
  /** Told of each that is in the present database alone. */
  readonly onRemoved: (name: string) => void;
}

/** Rows of the archive are given to it; those of the present database it takes by itself. */
export class KeyComparison {
  readonly #deps: KeyComparisonDeps;
  #added = 0;
  #kept = 0;
  #removed = 0;
  #archived: KeyedRow['key'] | undefined;
  /** `none`: it has to be read; undefined: there is no other one. */
  #next: KeyedRow | undefined | 'none' = 'none';
  /** Archives can come from anybody, and an earlier schema had other keys: what has another order can't be compared. */
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

  /** Undefined: the archive has them in another order. */
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

/** As both engines order them. */
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
      // Byte by byte: characters beyond the first 65,536 come elsewhere in the order of strings.
      return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
    case 'blob':
      return Buffer.compare(Buffer.from(String(one), 'base64'), Buffer.from(String(other), 'base64'));
  }
}

/** Beyond 2^53 they are digits, of which numbers don't tell all apart. */
function orderOfIntegers(one: number | string, other: number | string): number {
  const difference = Number(one) - Number(other);
  if (difference !== 0) return difference;
  const [first, second] = [BigInt(one), BigInt(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
