// The language of an open page, changed without loading the page again.
import type { Page } from 'playwright-core';
import { LANGUAGE_KEY, type Locale, tagOfLocale } from '../../../shared/i18n/languages.ts';

/** Changes the language as another tab of this browser would, and waits until the page has its texts in it. */
export async function switchLanguage(page: Page, locale: Locale): Promise<void> {
  await page.evaluate(
    ([key, newValue]) => {
      localStorage.setItem(key, newValue);
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
    },
    [LANGUAGE_KEY, locale] as const,
  );
  await page.locator(`html[lang="${tagOfLocale(locale)}"]`).waitFor({ state: 'attached' });
}
