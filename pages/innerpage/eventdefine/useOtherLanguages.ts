import i18next from 'i18next';
import { useEffect } from 'react';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';

/** Loads a namespace in all languages; who reads it with `useTranslation` is shown again once it has come. */
export function useOtherLanguages(namespace: string): void {
  useEffect(() => {
    const locales = LANGUAGES.map(({ locale }) => locale);
    const missing = locales.filter((locale) => !i18next.hasResourceBundle(locale, namespace));
    if (missing.length > 0) void i18next.reloadResources(missing, [namespace]);
  }, [namespace]);
}
