import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { tookText } from '../../../../pages/innerpage/sysbackup/words/tookText.ts';

beforeAll(() => i18next.init({ lng: 'en', resources: {} }));

it.each([
  [0, '1 s'],
  [400, '1 s'],
  [1_999, '1 s'],
  [2_000, '2 s'],
  [61_000, '1 min 1 s'],
])('what took %i ms is said to have taken %s', (ms, text) => {
  expect(tookText(ms)).toBe(text);
});
