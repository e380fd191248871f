// Starts i18next for a page: which language, where its texts come from, and how it follows other tabs.
import i18next, { type InitOptions } from 'i18next';
import HttpBackend, { type HttpBackendOptions } from 'i18next-http-backend';
import { initReactI18next } from 'react-i18next/initReactI18next';
import { sidHeaders } from '../api/pageFlags.ts';
import { readStored, writeStored } from './browserStorage.ts';
import {
  FALLBACK_LOCALE,
  LANGUAGE_KEY,
  LANGUAGES,
  type Locale,
  localeOfBrowser,
  localeOfStored,
  tagOfLocale,
} from './languages.ts';

export interface I18nStart {
  /** The first is the one that `t` reads when a component names none. */
  readonly namespaces: readonly string[];
}

/** A page shows itself after this long, in English where its own texts have not come; they are swapped in later. */
const MAX_WAIT_MS = 2_000;

let signedIn = false;
let loaded = false;

/** Resolves when texts are there, or after 2 s. Never rejects: a page without texts shows its keys, which are English. */
export async function startI18n(start: I18nStart): Promise<void> {
  i18next.on('languageChanged', showLanguage);
  window.addEventListener('storage', followOtherTabs);
  showLanguage(initialLocale());
  const loading = i18next
    .use(HttpBackend)
    .use(initReactI18next)
    .init<HttpBackendOptions>(initOptions(start))
    .then(markLoaded, (error: unknown) => console.warn('translations failed to start', error));
  await Promise.race([loading, afterMs(MAX_WAIT_MS)]);
}

/** Changes the language of this page, and through the storage that of this browser's other pages. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  writeStored(LANGUAGE_KEY, locale);
  await i18next.changeLanguage(locale);
}

/** The locale in use. */
export function currentLocale(): Locale {
  return localeOfStored(i18next.language ?? null) ?? initialLocale();
}

/** Missing keys are posted only while somebody is signed in: the gateway refuses the rest. */
export function setSignedIn(value: boolean): void {
  signedIn = value;
  i18next.options.saveMissing = signedIn && loaded;
}

function markLoaded(): void {
  loaded = true; // before that, a key may look missing because its file is still on the way
  setSignedIn(signedIn);
}

function initOptions({ namespaces }: I18nStart): InitOptions<HttpBackendOptions> {
  return {
    lng: initialLocale(),
    fallbackLng: FALLBACK_LOCALE,
    supportedLngs: LANGUAGES.map((language) => language.locale),
    load: 'currentOnly', // else zh-TW would ask for `zh` too
    ns: [...namespaces],
    keySeparator: false, // keys are short English texts and codes, dots and colons included
    nsSeparator: false,
    interpolation: { escapeValue: false }, // React escapes
    saveMissing: false,
    saveMissingTo: 'current',
    maxRetries: 5,
    retryTimeout: 350,
    maxParallelReads: 10,
    // A file that comes late changes what is shown; a missing key, noted while rendering, does not.
    react: { useSuspense: false, bindI18n: 'languageChanged loaded' },
    backend: {
      loadPath: '/locales/load/{{lng}}/{{ns}}',
      addPath: '/locales/add/{{lng}}/{{ns}}',
      customHeaders: sidHeaders,
    },
  };
}

function initialLocale(): Locale {
  return localeOfStored(readStored(LANGUAGE_KEY)) ?? localeOfBrowser(window.navigator.language);
}

function showLanguage(locale: string): void {
  document.documentElement.lang = tagOfLocale(locale);
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key !== LANGUAGE_KEY) return;
  const locale = localeOfStored(event.newValue);
  if (locale !== undefined && locale !== i18next.language) void i18next.changeLanguage(locale);
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
