// The three languages and how a page comes to one of them.

import type { Locale } from '../protocol/locale.ts';

export type { Locale };

export interface Language {
  /** Primary tag as browsers report it. */
  readonly code: 'en' | 'zh' | 'ja';
  /** In its own language, so that everyone finds theirs. */
  readonly name: string;
  /** What is stored, loaded and sent. */
  readonly locale: Locale;
  /** For `<html lang>`: `jp` is no language tag and `zh-TW` says nothing of the script. */
  readonly tag: string;
}

export const LANGUAGES: readonly Language[] = [
  { code: 'en', name: 'English', locale: 'en', tag: 'en' },
  { code: 'zh', name: '繁體中文', locale: 'zh-TW', tag: 'zh-Hant-TW' },
  { code: 'ja', name: '日本語', locale: 'jp', tag: 'ja' },
];

export const FALLBACK_LOCALE: Locale = 'en';
export const LANGUAGE_KEY = 'language';

export function isLocale(value: unknown): value is Locale {
  return LANGUAGES.some((language) => language.locale === value);
}

/** A stored language; `zh-CN` counts as zh-TW, anything else unknown as none. */
export function localeOfStored(stored: string | null): Locale | undefined {
  if (stored === 'zh-CN') return 'zh-TW';
  return isLocale(stored) ? stored : undefined;
}

/** The browser's language (`ja-JP`, `zh-Hant-HK`, `en-GB`): by its primary tag, else English. */
export function localeOfBrowser(language: string | undefined): Locale {
  const code = (language ?? '').toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((known) => known.code === code)?.locale ?? FALLBACK_LOCALE;
}

export function tagOfLocale(locale: string): string {
  return LANGUAGES.find((language) => language.locale === locale)?.tag ?? FALLBACK_LOCALE;
}
