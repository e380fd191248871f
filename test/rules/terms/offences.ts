// What is wrong with one text, by docs/glossary.md.
import type { Glossary, TextLanguage } from './glossary.ts';
import { punctuationOffences } from './punctuation.ts';

export interface TextToCheck {
  readonly language: TextLanguage;
  readonly text: string;
  /** The same text in English. */
  readonly english: string;
}

/** Terms that are common words too: Close shuts a dialog as well as it answers an event, and recordings have a speed. */
const HOMONYMS = new Set(['close', 'enter', 'info', 'late', 'new', 'speed', 'stop']);

export function offencesOf(checked: TextToCheck, glossary: Glossary): readonly string[] {
  return [
    ...bannedWords(checked, glossary).map((word) => `don't say: ${word}`),
    ...otherTerms(checked, glossary).map((term) => `not the term: ${term}`),
    ...punctuationOffences(checked),
  ];
}

function bannedWords({ language, text }: TextToCheck, { banned, terms }: Glossary): readonly string[] {
  return banned[language].filter((word) => {
    if (language !== 'en') return text.includes(word);
    if (!hasWord(text, word)) return false;
    const longer = terms.map(({ english }) => english).filter((english) => hasWord(english, word) && english !== word);
    const rest = longer.reduce((left, term) => left.replaceAll(new RegExp(`\\b${term}`, 'gi'), ''), text);
    return hasWord(rest, word);
  });
}

/** Whole words, with a small or a capital letter in front: `id` is wrong, ID is not. */
function hasWord(text: string, word: string): boolean {
  const [first = '', ...rest] = word;
  return new RegExp(`(?<!\\w)[${first.toLowerCase()}${first.toUpperCase()}]${rest.join('')}(?!\\w)`).test(text);
}

/** A text that is one term in English is that term in the others. */
function otherTerms({ language, text, english }: TextToCheck, { terms }: Glossary): readonly string[] {
  if (language === 'en' || HOMONYMS.has(english.toLowerCase())) return [];
  // The same English word may stand for two terms: server, and server recording.
  const meant = terms.filter((each) => each.english.toLowerCase() === english.toLowerCase());
  const texts = meant.flatMap((term) => term[language]);
  return meant.length === 0 || texts.includes(text) ? [] : [texts.join(', ')];
}
