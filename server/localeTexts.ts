// Translations for what the gateway itself writes for people.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInType } from '../shared/protocol/events/builtInTypes.ts';
import { type GivenNames, shownName } from '../shared/protocol/events/givenNames.ts';
import type { Locale } from '../shared/protocol/locale.ts';

/** By key. */
export type Texts = ReadonlyMap<string, string>;

/** `namespace`: of ours. A file that cannot be read fails. */
export async function readTexts(localesRoot: string, lang: Locale, namespace: string): Promise<Texts> {
  const file = await readFile(join(localesRoot, lang, `${namespace}.json`), 'utf8');
  return new Map(Object.entries(JSON.parse(file) as Readonly<Record<string, string>>));
}

/** The translation; what has none is its own English. */
export function textOf(texts: Texts, key: string | undefined, otherwise: string): string {
  return (key === undefined ? undefined : texts.get(key)) ?? key ?? otherwise;
}

export interface NamedByCode extends GivenNames {
  readonly code: string;
}

/** What codes are called in a language. `builtIn`: what each is called as long as no administrator has named it. */
export function namesByCode(
  all: readonly NamedByCode[],
  lang: Locale,
  builtIn: (code: string) => string,
): (code: string) => string {
  const byCode = new Map(all.map((each) => [each.code, shownName(each, lang, builtIn(each.code))]));
  return (code) => byCode.get(code) ?? builtIn(code);
}

/** `typeTexts`: EventTypes of the language. */
export function typeNames(types: readonly NamedByCode[], lang: Locale, typeTexts: Texts): (code: string) => string {
  return namesByCode(types, lang, (code) => textOf(typeTexts, builtInType(code)?.name, code));
}
