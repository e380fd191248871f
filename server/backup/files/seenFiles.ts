// Whether a file of an archive has come before: a restore has one place for it.
import type { FileHeader, FileKind } from '../archive/manifest.ts';

/** What anybody has written has as many files as it likes. Ours are in the order of their names, which takes no memory. */
const REMEMBERED = 200_000;

export class SeenFiles {
  readonly #remembered: number;
  readonly #names = new Set<string>();
  /** The last in the order of names, of each kind. */
  readonly #last = new Map<FileKind, string>();
  #count = 0;

  constructor(remembered = REMEMBERED) {
    this.#remembered = remembered;
  }

  /** False also where nobody can tell any more: out of order, behind more files than are remembered. */
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
