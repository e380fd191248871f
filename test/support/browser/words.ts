// What a page says, in the language that it is shown in.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { textsOf } from '../gateway/site.ts';

export type Locale = 'en' | 'zh-TW' | 'jp';

/** No raw key, no date of another form, and the language's own script. */
export function expectWords(text: string, locale: Locale): void {
  expect(text.split('\n').filter((line) => /^[A-Za-z]+\.[A-Za-z.]+$/.test(line))).toEqual([]);
  expect(text).not.toMatch(/\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d年/);
  if (locale !== 'en') expect(text).toMatch(/\p{Script=Han}/u);
  if (locale === 'jp') expect(text).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}]/u);
}

/** Every line that is a text of these namespaces is in the language of the page, and some are. */
export async function expectTranslated(
  page: Page,
  text: string,
  locale: Locale,
  namespaces: readonly string[],
): Promise<void> {
  const own = new Set<string>();
  const english = new Set<string>();
  for (const namespace of namespaces) {
    for (const said of Object.values(await textsOf(page, locale, namespace))) own.add(said);
    for (const said of Object.values(await textsOf(page, 'en', namespace))) english.add(said);
  }
  const lines = text.split('\n').map((line) => line.trim());
  expect(lines.filter((line) => english.has(line) && !own.has(line))).toEqual([]);
  expect(lines.filter((line) => own.has(line)).length).toBeGreaterThan(3);
}
