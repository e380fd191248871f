import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../shared/i18n/languages.ts';
import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_VALUE_KEYS } from '../../shared/protocol/api/auditWords.ts';
import { FIELD_CODES } from '../../shared/protocol/fieldCodes.ts';
import { MENU_PAGES, OWN_PAGE } from '../../shared/protocol/menuPages.ts';
import { filesIn, repository } from './sourceFiles.ts';
import { findUsedKeys, type KeyUse, type UsedKey } from './translations/usedKeys.ts';

const folder = join(repository, 'public/locales');
const locales = LANGUAGES.map((language) => language.locale);
const namespaces = readdirSync(join(folder, 'en')).map((name) => name.replace(/\.json$/, ''));

function read(locale: string, namespace: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, locale, `${namespace}.json`), 'utf8')) as Record<string, unknown>;
}

function isUsed(file: string): KeyUse {
  return findUsedKeys(file, readFileSync(join(repository, file), 'utf8'));
}

const sources = filesIn(repository, ['pages', 'shared'], /\.tsx?$/).filter((file) => !file.endsWith('vite.config.ts'));
const uses = sources.map((file) => ({ file, ...isUsed(file) }));

/** The codes that the gateway answers with: each is a key of Errors. */
function serverCodes(): string[] {
  const files = filesIn(repository, ['server'], /\.ts$/);
  const texts = files.map((file) => readFileSync(join(repository, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)+|internal|forbidden|busy|conflict)'/g)].map(
      (match) => match[1] ?? '',
    ),
  );
}

/** Where the values of keys come from that stand in a variable, and in which file. */
interface Source {
  readonly namespace: string;
  readonly keys: () => readonly string[];
}
const DYNAMIC: Readonly<Record<string, Source | readonly Source[]>> = {
  'pages/shell/HomeTiles.tsx': { namespace: 'Menu', keys: () => MENU_PAGES.map((page) => page.name) },
  'pages/shell/MenuList.tsx': { namespace: 'Menu', keys: () => MENU_PAGES.map((page) => page.name) },
  'pages/shell/PageFrame.tsx': { namespace: 'Menu', keys: () => [...MENU_PAGES, OWN_PAGE].map((page) => page.name) },
  'pages/innerpage/membership/roles/permissionNames.ts': {
    namespace: 'Menu',
    keys: () => MENU_PAGES.map((page) => page.name),
  },
  'pages/shell/MenuFooter.tsx': {
    namespace: 'Shell',
    keys: () => ['Retention (days)', 'Record expiry', 'Server version', 'Max licenses', 'License expiry'],
  },
  'shared/player/tile/TileOverlay.tsx': { namespace: 'Errors', keys: serverCodes },
  'shared/player/tools/LineNotice.tsx': { namespace: 'Errors', keys: serverCodes },
  'pages/innerpage/membership/audit/actionName.ts': { namespace: 'AuditActions', keys: () => AUDIT_ACTIONS },
  'pages/innerpage/membership/audit/fieldWords.ts': [
    { namespace: 'AuditFields', keys: () => AUDIT_FIELDS },
    { namespace: 'AuditValues', keys: () => AUDIT_VALUE_KEYS },
  ],
  'shared/ui/form/fieldText.ts': { namespace: 'Fields', keys: () => FIELD_CODES },
  'shared/i18n/errorText.ts': { namespace: 'Errors', keys: serverCodes },
};

/** Named by the specification, and not said by any page yet. */
const OWED: readonly UsedKey[] = [];

const usedKeys: readonly UsedKey[] = [
  ...uses.flatMap(({ keys }) => keys),
  ...Object.values(DYNAMIC)
    .flat()
    .flatMap(({ namespace, keys }) => keys().map((key) => ({ namespace, key }))),
];

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

describe('the keys in the source', () => {
  test('all have a text', () => {
    const missing = usedKeys.filter(
      ({ namespace, key }) => !namespaces.includes(namespace) || !(key in read('en', namespace)),
    );
    expect([...new Set(missing.map(({ namespace, key }) => `${namespace}: ${key}`))]).toEqual([]);
  });

  test('are all the keys that there are', () => {
    const used = new Set([...usedKeys, ...OWED].map(({ namespace, key }) => `${namespace}: ${key}`));
    const all = namespaces.flatMap((namespace) =>
      Object.keys(read('en', namespace)).map((key) => `${namespace}: ${key}`),
    );
    expect(all.filter((key) => !used.has(key))).toEqual([]);
  });

  test('that are owed are not in use yet', () => {
    const inUse = OWED.filter(({ namespace, key }) =>
      usedKeys.some((used) => used.namespace === namespace && used.key === key),
    );
    expect(inUse).toEqual([]);
  });

  test('name their namespace', () => {
    expect(uses.filter(({ homeless }) => homeless.length > 0).map(({ file, homeless }) => [file, homeless])).toEqual(
      [],
    );
  });

  test('stand in a variable only where this test knows the values', () => {
    expect(
      uses.filter(({ file, dynamicCalls }) => dynamicCalls > 0 && !(file in DYNAMIC)).map(({ file }) => file),
    ).toEqual([]);
    expect(
      Object.keys(DYNAMIC).filter((file) => !uses.some((use) => use.file === file && use.dynamicCalls > 0)),
    ).toEqual([]);
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
