import { describe, expect, test } from 'vitest';
import { shownName } from '../../../../../shared/protocol/events/givenNames.ts';

const NONE = { nameEn: '', nameZh: '', nameJp: '' };
const builtIn = { en: 'Speeding', 'zh-TW': '超速', jp: '速度超過' } as const;

const shown = (names: Partial<typeof NONE>) =>
  (['en', 'zh-TW', 'jp'] as const).map((locale) => shownName({ ...NONE, ...names }, locale, builtIn[locale]));

describe('the name that is shown', () => {
  test('of a built-in type follows the language until it is renamed', () => {
    expect(shown({})).toEqual(['Speeding', '超速', '速度超過']);
  });

  test('is the one of the language, and the English one where there is none', () => {
    expect(shown({ nameEn: 'Too fast', nameZh: '太快' })).toEqual(['Too fast', '太快', 'Too fast']);
    expect(shown({ nameEn: 'A', nameZh: 'B', nameJp: 'C' })).toEqual(['A', 'B', 'C']);
  });

  test('stays the built-in one in the languages that were not renamed when English was not either', () => {
    expect(shown({ nameJp: 'スピード' })).toEqual(['Speeding', '超速', 'スピード']);
  });
});
