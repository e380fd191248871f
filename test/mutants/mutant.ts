// A planted fault, and how it is put into the text of a file. Pure.

/** The folders of tests below test/, each of which runs in its own way. */
export const LAYERS = ['unit', 'server', 'dom', 'browser', 'e2e'] as const;
export type Layer = (typeof LAYERS)[number];

export interface TestPart {
  readonly layer: Layer;
  /** What the paths of its files begin with, from the repository's folder on. */
  readonly path: string;
}

export interface Mutant {
  /** What is wrong with the product, as a noun phrase. */
  readonly name: string;
  /** The subject of the product that it belongs to. */
  readonly area: string;
  /** The file that it is in, from the repository's folder on. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** The tests of that subject, one of which must fail. */
  readonly part: TestPart;
}

export type Planted = { readonly ok: true; readonly source: string } | { readonly ok: false; readonly reason: string };

/** The file's source with the fault in it. */
export function plant({ file, text, replacement }: Mutant, source: string): Planted {
  const pieces = source.split(text);
  if (pieces.length === 1) return { ok: false, reason: `${file} does not have the text that the fault replaces` };
  if (pieces.length > 2) {
    return { ok: false, reason: `${file} has the text that the fault replaces ${pieces.length - 1} times` };
  }
  return { ok: true, source: pieces.join(replacement) };
}

export interface MutantChoice {
  /** Part of a name, whatever its case; '' for all. */
  readonly namePart: string;
  /** Undefined: all. */
  readonly layer: Layer | undefined;
}

export function chooseMutants(mutants: readonly Mutant[], { namePart, layer }: MutantChoice): readonly Mutant[] {
  const wanted = namePart.toLowerCase();
  return mutants.filter(
    ({ name, part }) => name.toLowerCase().includes(wanted) && (layer === undefined || part.layer === layer),
  );
}

/** Every part of the tests that the mutants name, once. */
export function partsOf(mutants: readonly Mutant[]): readonly TestPart[] {
  return [...new Map(mutants.map(({ part }) => [part.path, part])).values()];
}

/** Whether the tests open what `npm run build` makes in a browser. */
export function needsProduct({ layer }: TestPart): boolean {
  return layer === 'browser' || layer === 'e2e';
}
