// Names of rows that a restore would change; there may be any number of them.

/** Some names, and how many there are. */
export interface NameList {
  readonly names: readonly string[];
  readonly count: number;
}

/** Maximum of names; more of them don't help anybody. */
export const MAX_NAMES = 100;

export function nameList(names: Iterable<string>): NameList {
  const all = new FirstNames();
  for (const name of names) all.add(name);
  return all.list();
}

/** The first names in alphabetical order. */
export class FirstNames {
  #names: string[] = [];
  #count = 0;

  add(name: string): void {
    this.#count++;
    this.#names.push(name);
    if (this.#names.length >= 2 * MAX_NAMES) this.#names = this.#first();
  }

  list(): NameList {
    return { names: this.#first(), count: this.#count };
  }

  #first(): string[] {
    return this.#names.toSorted().slice(0, MAX_NAMES);
  }
}
