// Makes the English translation files from the keys in use.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyInUse } from './keysInUse.ts';

export type Texts = Readonly<Record<string, string>>;

/**
 * The texts of one namespace, by key in alphabetical order. Texts are their own English. Codes keep the English that is
 * written for them; a code without any is left out, since it says nothing to a reader. Throws for a text with other English
 * than itself: it is either a code, which keysInUse.ts should know, or the key in the source is what should change.
 */
export function englishTexts(keys: readonly KeyInUse[], written: Texts): Texts {
  const texts = new Map<string, string>();
  for (const { key, isCode } of [...keys].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const english = Object.hasOwn(written, key) ? written[key] : undefined;
    const hasOwnEnglish = english !== undefined && english !== key;
    if (hasOwnEnglish && !isCode) throw new Error(`"${key}" is used as a text, and its English is "${english}"`);
    if (hasOwnEnglish) texts.set(key, english);
    else if (!isCode) texts.set(key, key);
  }
  return Object.fromEntries(texts);
}

/** What each file of `folder` should hold, by file name, laid out as the formatter does. */
export function englishFiles(folder: string, keys: readonly KeyInUse[]): ReadonlyMap<string, string> {
  const present = readdirSync(folder);
  const namespaces = [...new Set(keys.map(({ namespace }) => namespace))].sort();
  return new Map(
    namespaces.map((namespace) => {
      const name = `${namespace}.json`;
      const written = present.includes(name) ? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts) : {};
      const texts = englishTexts(
        keys.filter((key) => key.namespace === namespace),
        written,
      );
      return [name, `${JSON.stringify(texts, null, 2)}\n`];
    }),
  );
}

/** Files of namespaces without a key in use are deleted. */
export function writeEnglishFiles(folder: string, keys: readonly KeyInUse[]): void {
  const files = englishFiles(folder, keys);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
}
