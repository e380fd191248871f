// Translations for what the gateway itself writes for people.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locale } from '../../../shared/protocol/locale.ts';

/** By key. */
export type Texts = ReadonlyMap<string, string>;

/** `namespace`: of ours. A file that cannot be read fails. */
export async function readTexts(localesRoot: string, lang: Locale, namespace: string): Promise<Texts> {
  const file = await readFile(join(localesRoot, lang, `${namespace}.json`), 'utf8');
  return new Map(Object.entries(JSON.parse(file) as Readonly<Record<string, string>>));
}
