import i18next from 'i18next';
import { tagOfLocale } from './languages.ts';

const separators = new Map<string, string>();

/** Names, numbers or texts one after another, in the page's language: `North, South`, `北區、南區`. */
export function listText(texts: readonly (string | number)[]): string {
  return texts.join(separatorOf(tagOfLocale(i18next.language)));
}

/** What a list of two has between them: Chinese would have 「和」 before the last of more, which is for sentences, not for cells. */
function separatorOf(tag: string): string {
  const known = separators.get(tag);
  if (known !== undefined) return known;
  const parts = new Intl.ListFormat(tag, { type: 'conjunction', style: 'narrow' }).formatToParts(['', '']);
  const separator = parts.find(({ type }) => type === 'literal')?.value ?? ', ';
  separators.set(tag, separator);
  return separator;
}
