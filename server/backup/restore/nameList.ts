// Names of what a restore would change, of which there may be any number.

/** Some names, and how many there are. */
export interface NameList {
  readonly names: readonly string[];
  readonly count: number;
}

/** More of them tell nobody more. */
export const MAX_NAMES = 100;

export function nameList(names: Iterable<string>): NameList {
  const all = new FirstNames();
  for (const name of names) all.add(name);
  return all.list();
}

/** The first by the alphabet. */
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
