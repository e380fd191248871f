import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOCALES } from '../../../../../shared/protocol/locale.ts';
import {
  FIRST_CHOICES,
  notifyChoicesText,
  readNotifyChoices,
} from '../../../../../shared/protocol/notify/notifyChoices.ts';
import { PERSONAL_KINDS } from '../../../../../shared/protocol/notify/notifyWords.ts';

const minute = fc.integer({ min: 0, max: 1_440 });
const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
const choices = fc.record({
  channels: fc.subarray([...PERSONAL_KINDS]),
  quietHours: fc.array(fc.record({ days, fromMinute: minute, toMinute: minute }), { maxLength: 20 }),
  messageLanguage: fc.constantFrom('' as const, ...LOCALES),
});

test('what a member chose is read as it was kept', () => {
  const keeps = fc.property(choices, (chosen) => {
    expect(readNotifyChoices(notifyChoicesText(chosen))).toEqual(chosen);
  });
  fc.assert(keeps);
});

test('whatever is kept, the member can be told', () => {
  for (const text of ['', 'null', '7', '[]', '{', '{"channels":"email","quietHours":{},"messageLanguage":"xx"}']) {
    expect(readNotifyChoices(text), text).toEqual(FIRST_CHOICES);
  }
  const window = { days: [1], fromMinute: 0, toMinute: 60 };
  const odd = [window, null, 3, { ...window, days: [8] }, { ...window, days: [] }, { ...window, toMinute: 1_441 }];
  expect(readNotifyChoices(JSON.stringify({ channels: ['push', 'fax'], quietHours: odd }))).toEqual({
    channels: ['push'],
    quietHours: [window],
    messageLanguage: '',
  });
  const isTotal = fc.property(fc.json(), (text) => {
    expect(readNotifyChoices(text).channels).toBeInstanceOf(Array);
  });
  fc.assert(isTotal);
});
