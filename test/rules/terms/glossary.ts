// What docs/glossary.md says, as far as a machine can hold texts against it: words that are wrong, and the terms in three
// languages.

const TEXT_LANGUAGES = ['en', 'zh', 'ja'] as const;
export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** One term: in English one way to say it, in the others any of these. */
interface Term {
  readonly english: string;
  readonly zh: readonly string[];
  readonly ja: readonly string[];
}

export interface Glossary {
  readonly banned: Readonly<Record<TextLanguage, readonly string[]>>;
  readonly terms: readonly Term[];
}

export function readGlossary(markdown: string): Glossary {
  const rows = tableRows(markdown);
  const said = rows.flatMap(([, , , , dontSay = '']) => wordsOf(dontSay));
  const never = [...markdown.matchAll(/^- (en|zh|ja): (.+(?:\n {2}.+)*)$/gm)].flatMap(([, language = '', words = '']) =>
    wordsOf(`${language}: ${words}`),
  );
  const banned = (language: TextLanguage): readonly string[] => [
    ...new Set([...said, ...never].filter((each) => each.language === language).map(({ word }) => word)),
  ];
  return {
    banned: { en: banned('en'), zh: banned('zh'), ja: banned('ja') },
    terms: rows.flatMap(([english = '', , zh = '', ja = '']) => termsOf(english, listOf(zh), listOf(ja))),
  };
}

/** The rows of the one table of five columns, each as its cells. */
function tableRows(markdown: string): string[][] {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => cells.slice(1, -1)).filter(([english]) => english !== 'English');
}

/** Terms stand side by side where all languages have as many of them; else the others are ways to say the English one. */
function termsOf(english: string, zh: readonly string[], ja: readonly string[]): readonly Term[] {
  const names = listOf(english.replaceAll(/ ?\([^)]*\)/g, ''));
  if (names.length === 1) return [{ english, zh, ja }];
  if (names.length !== zh.length || names.length !== ja.length) return [];
  return names.map((name, at) => ({ english: name, zh: zh.slice(at, at + 1), ja: ja.slice(at, at + 1) }));
}

/** `a, b; zh: c`, without what stands in italics: that is wrong in one sense only. */
function wordsOf(cell: string): readonly { readonly language: TextLanguage; readonly word: string }[] {
  return cell.split(';').flatMap((part) => {
    const [, language = 'en', words = ''] = /^\s*(?:(en|zh|ja):)?(.*)$/s.exec(part) ?? [];
    const plain = words.replaceAll(/\*[^*]+\*/g, '').replaceAll(/\([^)]*\)/g, '');
    return listOf(plain).map((word) => ({ language: language as TextLanguage, word }));
  });
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
