// Event types to choose from, by category. A whole category can be chosen at once; a filter holds its types. Pure.
import { EVENT_CATEGORIES, type EventCategory } from '../../protocol/events/eventWords.ts';

export interface KnownType {
  readonly code: string;
  readonly name: string;
  readonly category: EventCategory;
}

export type TypeOption =
  | { readonly kind: 'category'; readonly category: EventCategory; readonly codes: readonly string[] }
  | {
      readonly kind: 'type';
      readonly category: EventCategory | undefined;
      readonly code: string;
      readonly name: string;
    };

/** The options, each category before its types, which are in the order of their names. */
export function typeOptions(types: readonly KnownType[]): readonly TypeOption[] {
  return EVENT_CATEGORIES.flatMap((category) => {
    const own = types.filter((type) => type.category === category);
    const sorted = own.sort((left, right) => left.name.localeCompare(right.name));
    if (sorted.length === 0) return [];
    const whole: TypeOption = { kind: 'category', category, codes: sorted.map(({ code }) => code) };
    return [whole, ...sorted.map(({ code, name }): TypeOption => ({ kind: 'type', category, code, name }))];
  });
}

/** The types of a filter, and the categories all of whose types it has. A code that is no longer known stays as a code. */
export function chosenOptions(options: readonly TypeOption[], codes: readonly string[]): readonly TypeOption[] {
  const chosen = new Set(codes);
  const known = options.filter((option) => codesOf(option).every((code) => chosen.has(code)));
  const names = new Set(known.flatMap(codesOf));
  const unknown = codes.filter((code) => !names.has(code));
  return [...known, ...unknown.map((code): TypeOption => ({ kind: 'type', category: undefined, code, name: code }))];
}

/** The shortest list of options for the whole choice: a category stands for its types. */
export function shortOptions(chosen: readonly TypeOption[]): readonly TypeOption[] {
  const whole = new Set(chosen.flatMap((option) => (option.kind === 'category' ? option.codes : [])));
  return chosen.filter((option) => option.kind === 'category' || !whole.has(option.code));
}

function codesOf(option: TypeOption): readonly string[] {
  return option.kind === 'category' ? option.codes : [option.code];
}

/** The codes after another set of options is chosen: an added option brings its types, a removed one takes them away. */
export function changedCodes(before: readonly TypeOption[], after: readonly TypeOption[]): readonly string[] {
  const keys = new Set(after.map(keyOf));
  const removed = new Set(before.filter((option) => !keys.has(keyOf(option))).flatMap(codesOf));
  const known = new Set(before.map(keyOf));
  const added = after.filter((option) => !known.has(keyOf(option))).flatMap(codesOf);
  const kept = before.flatMap(codesOf).filter((code) => !removed.has(code));
  return [...new Set([...kept, ...added])];
}

export function keyOf(option: TypeOption): string {
  return option.kind === 'category' ? `@${option.category}` : option.code;
}
