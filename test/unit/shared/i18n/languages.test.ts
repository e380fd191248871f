import { describe, expect, test } from 'vitest';
import { LANGUAGES, localeOfBrowser, localeOfStored, tagOfLocale } from '../../../../shared/i18n/languages.ts';

describe('languages (S-3.7, S-9.18)', () => {
  test('there are three, in the order of the select', () => {
    expect(LANGUAGES.map(({ code, locale }) => [code, locale])).toEqual([
      ['en', 'en'],
      ['zh', 'zh-TW'],
      ['ja', 'jp'],
    ]);
  });

  test.each([
    ['zh-TW', 'zh-TW'],
    ['zh-CN', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh', 'zh-TW'],
    ['ja', 'jp'],
    ['ja-JP', 'jp'],
    ['JA-jp', 'jp'],
    ['en-GB', 'en'],
    ['de', 'en'],
    ['ko', 'en'],
    ['zhx', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('a browser in %s starts in %s (S-7.19)', (browser, expected) => {
    expect(localeOfBrowser(browser)).toBe(expected);
  });

  test.each([
    ['en', 'en'],
    ['zh-TW', 'zh-TW'],
    ['jp', 'jp'],
    ['zh-CN', 'zh-TW'],
    ['xx', undefined],
    ['ja', undefined],
    ['EN', undefined],
    ['', undefined],
    [null, undefined],
  ])('a stored %s is %s', (stored, expected) => {
    expect(localeOfStored(stored)).toBe(expected);
  });

  test.each([
    ['en', 'en'],
    ['zh-TW', 'zh-Hant-TW'],
    ['jp', 'ja'],
  ])('the page says of %s that it is %s', (locale, tag) => {
    expect(tagOfLocale(locale)).toBe(tag);
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
  });
});
