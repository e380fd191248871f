// Marks and spaces of a text, by the copy rules.
import type { TextToCheck } from './offences.ts';

const LETTER = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const FULL_WIDTH = '，。、：；？！（）「」～';

interface Check {
  readonly offence: string;
  readonly isWrong: (text: string, english: string) => boolean;
}

const EVERYWHERE: readonly Check[] = [
  { offence: 'an exclamation mark', isWrong: (text) => /[!！]/.test(text) },
  { offence: 'three dots, where … is one character', isWrong: (text) => text.includes('...') },
  { offence: 'two spaces', isWrong: (text) => text.includes('  ') },
];

const CHINESE_AND_JAPANESE: readonly Check[] = [
  { offence: 'half-width punctuation', isWrong: (text) => /[,;:?()]|(?<!\.)\.$/.test(withoutFixed(text)) },
  {
    offence: 'a space beside full-width punctuation',
    isWrong: (text) => new RegExp(` [${FULL_WIDTH}]|[${FULL_WIDTH}] `, 'u').test(text),
  },
  {
    offence: 'no space beside Latin letters or digits',
    isWrong: (text) => new RegExp(`[${LETTER}][\\w{]|[\\w}%][${LETTER}]`, 'u').test(text),
  },
  {
    offence: 'ends unlike the English text',
    isWrong: (text, english) => (END_MARKS[english.at(-1) ?? ''] ?? '') !== endMark(text),
  },
];

const BY_LANGUAGE: Readonly<Record<TextToCheck['language'], readonly Check[]>> = {
  en: [{ offence: 'curly quotation marks', isWrong: (text) => /[“”‘’]/.test(text) }],
  zh: [
    ...CHINESE_AND_JAPANESE,
    { offence: 'a dash or curly quotation marks', isWrong: (text) => /[—“”‘’]/.test(text) },
    {
      offence: 'more than one 請 in a sentence',
      isWrong: (text) => text.split(/[。；]/).some((sentence) => [...sentence.matchAll(/(?<!申)請/g)].length > 1),
    },
  ],
  ja: [...CHINESE_AND_JAPANESE, { offence: 'a label that ends in する', isWrong: (text) => /(?<!に)する$/.test(text) }],
};

/** How a text ends that ends like this in English. */
const END_MARKS: Readonly<Record<string, string>> = { '.': '。', '?': '？', ':': '：', '…': '…' };

export function punctuationOffences({ language, text, english }: TextToCheck): readonly string[] {
  return [...EVERYWHERE, ...BY_LANGUAGE[language]]
    .filter(({ isWrong }) => isWrong(text, english))
    .map(({ offence }) => offence);
}

function endMark(text: string): string {
  return /[。？：…]$/.exec(text)?.[0] ?? '';
}

/** Without numbers and times, and without marks that stand alone: those are named, not used. */
function withoutFixed(text: string): string {
  return text.replaceAll(/(?<=\d)[,:.](?=\d)/g, '').replaceAll(/(?<= )[^\w{}](?= |$)/g, '');
}
