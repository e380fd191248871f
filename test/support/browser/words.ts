// What a page says, in the language that it is shown in, and how an open page comes to another one: as another tab of the same
// browser changes it.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { LANGUAGE_KEY, tagOfLocale } from '../../../shared/i18n/languages.ts';
import { textsOf } from '../gateway/site.ts';

export type Locale = 'en' | 'zh-TW' | 'jp';

/** No raw key, no date of another form, and the language's own script. */
export function expectWords(text: string, locale: Locale): void {
  expect(text.split('\n').filter((line) => /^[A-Za-z]+\.[A-Za-z.]+$/.test(line))).toEqual([]);
  expect(text).not.toMatch(/\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d年/);
  for (const script of SCRIPTS[locale]) expect(text).toMatch(script);
}

const HAN = /\p{Script=Han}/u;
const SCRIPTS: Readonly<Record<Locale, readonly RegExp[]>> = {
  en: [],
  'zh-TW': [HAN],
  jp: [HAN, /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
};

export function hasScriptOf(text: string, locale: Locale): boolean {
  return SCRIPTS[locale].every((script) => script.test(text));
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

/** Comes back when the texts of the language are loaded and the page says that it is in it. */
export async function showLanguage(page: Page, locale: Locale): Promise<void> {
  await page.evaluate(
    ({ key, newValue }) => {
      localStorage.setItem(key, newValue);
      // The browser tells it to other tabs alone.
      window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
    },
    { key: LANGUAGE_KEY, newValue: locale },
  );
  await page.waitForFunction((tag) => document.documentElement.lang === tag, tagOfLocale(locale));
  await untilDrawn(page);
}

/**
 * After two frames what was told of a change has drawn itself, and observers of sizes have laid out once more; then what fades into
 * its new colours has come to them.
 */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const goesOnForEver = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      return playState !== 'running' || goesOnForEver;
    }),
  );
}
