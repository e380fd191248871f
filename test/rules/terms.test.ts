import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './sourceFiles.ts';
import { readGlossary, type TextLanguage } from './terms/glossary.ts';
import { offencesOf } from './terms/offences.ts';

const glossary = readGlossary(readFileSync(join(repository, 'docs/glossary.md'), 'utf8'));

const LOCALES = [
  { locale: 'en', language: 'en' },
  { locale: 'zh-TW', language: 'zh' },
  { locale: 'jp', language: 'ja' },
] as const;

/** Texts that the specification fixes. */
const FIXED: readonly string[] = ['Common: Logout', 'Common: connect failed'];

type Texts = Readonly<Record<string, string>>;

function read(folder: string, locale: string, namespace: string): Texts {
  return JSON.parse(readFileSync(join(folder, locale, `${namespace}.json`), 'utf8')) as Texts;
}

/** Each offence of a namespace's texts in one language, as `key: offence`. */
function offencesIn(texts: Texts, english: Texts, language: TextLanguage): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    offencesOf({ language, text, english: english[key] ?? '' }, glossary).map((offence) => `${key}: ${offence}`),
  );
}

describe('the glossary', () => {
  it('has terms in three languages and words that are not said', () => {
    expect(glossary.terms.length).toBeGreaterThan(150);
    expect(glossary.terms.filter(({ zh, ja }) => zh.length === 0 || ja.length === 0)).toEqual([]);
    for (const { language } of LOCALES) expect(glossary.banned[language].length, language).toBeGreaterThan(20);
    expect(glossary.terms).toContainEqual({ english: 'share link', zh: ['分享連結'], ja: ['共有リンク'] });
    expect(glossary.banned.en).toContain('plate');
    expect(glossary.banned.en, 'in italics').not.toContain('open');
    expect(glossary.banned.zh, 'of the list').toContain('你');
  });

  it('is not contradicted by itself: no term is a word that is not said', () => {
    for (const { zh, ja } of glossary.terms) {
      expect(glossary.banned.zh.filter((word) => zh.some((term) => term.includes(word)))).toEqual([]);
      expect(glossary.banned.ja.filter((word) => ja.some((term) => term.includes(word)))).toEqual([]);
    }
  });
});

describe('the texts of the pages', () => {
  const folder = join(repository, 'public/locales');
  const namespaces = readdirSync(join(folder, 'en')).map((name) => name.replace(/\.json$/, ''));
  const isFixed = (namespace: string, language: TextLanguage, offence: string): boolean =>
    (namespace === 'Menu' && language === 'en') || FIXED.some((text) => `${namespace}: ${offence}`.startsWith(text));

  it.each(namespaces)('of %s keep to the glossary', (namespace) => {
    const english = read(folder, 'en', namespace);
    const found = LOCALES.flatMap(({ locale, language }) =>
      offencesIn(read(folder, locale, namespace), english, language)
        .filter((offence) => !isFixed(namespace, language, offence))
        .map((offence) => `${locale}: ${offence}`),
    );
    expect(found).toEqual([]);
  });
});

interface Sample {
  readonly text: string;
  readonly english?: string;
  /** Undefined for a text that is right. */
  readonly offence?: string;
}

describe('each kind of offence', () => {
  it.each(LOCALES)('is found in $locale, and nothing in what is right', ({ language }) => {
    const file = join(import.meta.dirname, 'fixtures/terms', `${language}.json`);
    const samples = JSON.parse(readFileSync(file, 'utf8')) as readonly Sample[];
    const found = samples.map(({ text, english = text }) => [
      text,
      ...offencesOf({ language, text, english }, glossary),
    ]);
    expect(found).toEqual(samples.map(({ text, offence }) => (offence === undefined ? [text] : [text, offence])));
  });
});
