// What a page says, in the language that it is shown in.
import { expect } from 'vitest';

/** No raw key, no date of another form, and the language's own script. */
export function expectWords(text: string, locale: 'en' | 'zh-TW' | 'jp'): void {
  expect(text.split('\n').filter((line) => /^[A-Za-z]+\.[A-Za-z.]+$/.test(line))).toEqual([]);
  expect(text).not.toMatch(/\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d年/);
  if (locale !== 'en') expect(text).toMatch(/\p{Script=Han}/u);
  if (locale === 'jp') expect(text).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}]/u);
}
