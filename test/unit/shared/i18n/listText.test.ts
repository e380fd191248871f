import i18next from 'i18next';
import { expect, it } from 'vitest';
import { listText } from '../../../../shared/i18n/listText.ts';

it.each([
  ['en', 'North, Line 2, South'],
  ['zh-TW', 'North、Line 2、South'],
  ['jp', 'North、Line 2、South'],
])('a list in %s', async (lng, text) => {
  await i18next.init({ lng, resources: {} });
  expect([listText(['North', 'Line 2', 'South']), listText(['North']), listText([])]).toEqual([text, 'North', '']);
});
