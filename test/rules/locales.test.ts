import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../shared/i18n/languages.ts';
import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_VALUE_KEYS } from '../../shared/protocol/api/auditWords.ts';
import { MENU_PAGES, OWN_PAGE } from '../../shared/protocol/menuPages.ts';
import { filesIn, repository } from './sourceFiles.ts';
import { COMPUTED_KEYS } from './translations/computedKeys.ts';
import { englishFiles, englishTexts, writeEnglishFiles } from './translations/englishFiles.ts';
import { keysByFile, keysInUse } from './translations/keysInUse.ts';
import { findUsedKeys } from './translations/usedKeys.ts';

const folder = join(repository, 'public/locales');
const locales = LANGUAGES.map((language) => language.locale);
const namespaces = readdirSync(join(folder, 'en')).map((name) => name.replace(/\.json$/, ''));
const uses = keysByFile();
const usedKeys = keysInUse(uses);

function read(locale: string, namespace: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, locale, `${namespace}.json`), 'utf8')) as Record<string, unknown>;
}

describe('the translation files', () => {
  test('are the same in every language', () => {
    for (const locale of locales)
      expect(readdirSync(join(folder, locale)).sort()).toEqual(readdirSync(join(folder, 'en')).sort());
    expect(readdirSync(folder).sort()).toEqual([...locales].sort());
  });

  test.each(namespaces)('%s has the same keys in every language (S-7.18)', (namespace) => {
    const expected = Object.keys(read('en', namespace)).sort();
    expect(expected.length).toBeGreaterThan(0);
    for (const locale of locales) expect(Object.keys(read(locale, namespace)).sort(), locale).toEqual(expected);
  });

  test.each(namespaces)('%s says no key twice: the second would hide the first', (namespace) => {
    for (const locale of locales) {
      expect(repeatedKeys(readFileSync(join(folder, locale, `${namespace}.json`), 'utf8')), locale).toEqual([]);
    }
  });

  test.each(namespaces)('%s has a text for each key, with the same values in it', (namespace) => {
    const english = read('en', namespace);
    for (const locale of locales) {
      for (const [key, text] of Object.entries(read(locale, namespace))) {
        expect(typeof text === 'string' && text.trim() === text && text !== '', `${locale}: ${key}`).toBe(true);
        expect(placeholders(text), `${locale}: ${key}`).toEqual(placeholders(english[key]));
      }
    }
  });

  test.each(namespaces)('%s is translated: no text is left in English', (namespace) => {
    for (const locale of ['zh-TW', 'jp']) {
      for (const [key, text] of Object.entries(read(locale, namespace))) {
        expect(String(text), `${locale}: ${key}`).toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
      }
    }
  });

  test('Menu has the names of the pages and nothing else', () => {
    expect(Object.keys(read('en', 'Menu')).sort()).toEqual([...MENU_PAGES, OWN_PAGE].map((page) => page.name).sort());
  });
});

test('what the gateway notes in the audit has a name in every language', () => {
  const texts = filesIn(repository, ['server'], /\.ts$/).map((file) => readFileSync(join(repository, file), 'utf8'));
  const noted = texts.flatMap((text) =>
    [...text.matchAll(/\baction: '([a-z]+\.[a-z]+)'/g)].map((match) => match[1] ?? ''),
  );
  expect(noted.length).toBeGreaterThan(20);
  // Asked and not noted: a wrong password is, as a refusal.
  const unnamed = noted.filter(
    (action) => action !== 'password.check' && !AUDIT_ACTIONS.some((each) => each === action),
  );
  expect([...new Set(unnamed)]).toEqual([]);
});

test('actions, fields and values of the audit share a namespace without sharing a key', () => {
  const words = [...AUDIT_ACTIONS, ...AUDIT_FIELDS, ...AUDIT_VALUE_KEYS];
  expect(words.filter((word, at) => words.indexOf(word) < at)).toEqual([]);
});

describe('the keys in the source', () => {
  test('all have a text', () => {
    const missing = usedKeys.filter(
      ({ namespace, key }) => !namespaces.includes(namespace) || !(key in read('en', namespace)),
    );
    expect([...new Set(missing.map(({ namespace, key }) => `${namespace}: ${key}`))]).toEqual([]);
  });

  test('are all the keys that there are', () => {
    const used = new Set(usedKeys.map(({ namespace, key }) => `${namespace}: ${key}`));
    const all = namespaces.flatMap((namespace) =>
      Object.keys(read('en', namespace)).map((key) => `${namespace}: ${key}`),
    );
    expect(all.filter((key) => !used.has(key))).toEqual([]);
  });

  test('name their namespace', () => {
    expect(uses.filter(({ homeless }) => homeless.length > 0).map(({ file, homeless }) => [file, homeless])).toEqual(
      [],
    );
  });

  test('stand in a variable only where the table of computed keys has their values', () => {
    expect(
      uses.filter(({ file, dynamicCalls }) => dynamicCalls > 0 && !(file in COMPUTED_KEYS)).map(({ file }) => file),
    ).toEqual([]);
    expect(
      Object.keys(COMPUTED_KEYS).filter((file) => !uses.some((use) => use.file === file && use.dynamicCalls > 0)),
    ).toEqual([]);
  });
});

describe('the English files', () => {
  const inUse = (key: string, isCode = false, namespace = 'One') => ({ namespace, key, isCode });

  test('are what `npm run fix` makes of the keys in use', () => {
    for (const [name, text] of englishFiles(join(folder, 'en'), usedKeys)) {
      expect(readFileSync(join(folder, 'en', name), 'utf8'), `${name}: run npm run fix`).toBe(text);
    }
  });

  test('hold texts as they are, in the order of the alphabet, and what is written for codes', () => {
    const keys = [inUse('b-code', true), inUse('Save'), inUse('Add'), inUse('Save'), inUse('a-code', true)];
    const texts = englishTexts(keys, { 'a-code': 'a-code', 'b-code': 'Try again.', Gone: 'Gone' });
    expect(Object.entries(texts)).toEqual([
      ['Add', 'Add'],
      ['Save', 'Save'],
      ['b-code', 'Try again.'],
    ]);
  });

  test('do not lose English that somebody wrote for a key that is not known as a code', () => {
    expect(() => englishTexts([inUse('c-code')], { 'c-code': 'Reload the page.' })).toThrow('Reload the page.');
  });

  test('come and go with the namespaces in use', () => {
    const target = mkdtempSync(join(tmpdir(), 'english-'));
    writeFileSync(join(target, 'Gone.json'), '{ "Old": "Old" }\n');
    writeFileSync(join(target, 'One.json'), '{ "Old": "Old", "a-code": "A text." }\n');
    writeEnglishFiles(target, [inUse('New'), inUse('a-code', true), inUse('First', false, 'Two')]);
    const files = readdirSync(target).map((name) => [name, readFileSync(join(target, name), 'utf8')]);
    expect(files).toEqual([
      ['One.json', '{\n  "New": "New",\n  "a-code": "A text."\n}\n'],
      ['Two.json', '{\n  "First": "First"\n}\n'],
    ]);
  });
});

describe('reading keys from a source', () => {
  const find = (source: string) => findUsedKeys('a.tsx', source);

  test('takes the namespace of the hook before, or of the call itself', () => {
    const source = `
      function A() { const { t } = useTranslation('One'); return t('a') + t('b', { n: 1, ns: 'Two' }); }
      function B() { const { t } = useTranslation(['Three', 'One']); return <p title={t(x ? 'c' : 'd')} />; }
      i18next.t('e', { ns: 'Four' });`;
    expect(find(source).keys).toEqual([
      { namespace: 'One', key: 'a' },
      { namespace: 'Two', key: 'b' },
      { namespace: 'Three', key: 'c' },
      { namespace: 'Three', key: 'd' },
      { namespace: 'Four', key: 'e' },
    ]);
  });

  test('refuses a source that has a fault in its syntax: its keys would be lost', () => {
    expect(() => find("t('a'")).toThrow('a.tsx');
  });

  test('counts keys in variables and finds those without a namespace', () => {
    const found = find(
      `t('lost'); i18next.t('also lost'); function A() { const { t } = useTranslation('One'); t(key); }`,
    );
    expect(found).toEqual({ keys: [], dynamicCalls: 1, homeless: ['lost', 'also lost'] });
  });
});

test('a key that stands twice is found, and a text like a key is none', () => {
  const text = '{ "a": "x: \\"a\\": y", "b": "a", "\\u0061" : "z", "a b": "c" }';
  expect(JSON.parse(text)).toEqual({ a: 'z', b: 'a', 'a b': 'c' });
  expect(repeatedKeys(text)).toEqual(['a']);
});

/** The keys of a flat object that its text has more than once; parsing keeps the last and says nothing. */
function repeatedKeys(text: string): string[] {
  const strings = [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)];
  const keys = strings.filter((match) => match[2] !== undefined).map((match) => String(JSON.parse(match[1] ?? '')));
  return keys.filter((key, at) => keys.indexOf(key) < at);
}

/** What is filled into a text, in the order of the alphabet. */
function placeholders(text: unknown): string[] {
  return [...String(text).matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();
}
