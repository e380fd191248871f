// Detects whether a file of an archive has occurred before: a restore has one place for it.
import type { FileHeader, FileKind } from '../archive/manifest.ts';

/** Foreign archives have as many files as they like. The program's own are in the order of their names, which takes no memory. */
const REMEMBERED = 200_000;

export class SeenFiles {
  readonly #remembered: number;
  readonly #names = new Set<string>();
  /** The last name in order, of each kind. */
  readonly #last = new Map<FileKind, string>();
  #count = 0;

  constructor(remembered = REMEMBERED) {
    this.#remembered = remembered;
  }

  /** False also where that is unknown: out of order, after more files than are remembered. */
  isNew({ kind, name }: FileHeader): boolean {
    const key = `${kind}/${name}`;
    const isInOrder = name > (this.#last.get(kind) ?? '');
    if (!isInOrder && (this.#count > this.#remembered || this.#names.has(key))) return false;
    if (isInOrder) this.#last.set(kind, name);
    this.#count++;
    if (this.#count <= this.#remembered) this.#names.add(key);
    return true;
  }
}
