import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { healthAdviceText, healthSubjectText } from '../../../../shared/i18n/healthText.ts';

beforeAll(async () => {
  const words = { Queues: '佇列', Data: '資料', Events: '事件', 'Test the backup.': '請測試備份。' };
  await i18next.init({ lng: 'zh-TW', resources: { 'zh-TW': { HealthWords: words } } });
});

it.each([
  ['queues', '', '佇列'],
  ['disks', 'data', '資料'],
  ['queues', 'events', '事件'],
  ['tables', 'events', 'events'],
  ['backup', 'a-later-gateway-has-it', 'a-later-gateway-has-it'],
  ['ports', 'constructor', 'constructor'],
] as const)('of %s, "%s" is shown as %s', (kind, subject, text) => {
  expect(healthSubjectText({ kind, subject })).toBe(text);
});

it('advice is given where something is to be done', () => {
  expect([healthAdviceText(''), healthAdviceText('test-backup')]).toEqual(['', '請測試備份。']);
});
