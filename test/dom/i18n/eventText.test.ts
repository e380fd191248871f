import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventTypeText } from '../../../shared/i18n/eventTypeText.ts';
import { categoryText, severityText, sourceText, statusText } from '../../../shared/i18n/eventWordText.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';

describe('what events are called', () => {
  beforeAll(async () => {
    const texts = ['EventTypes', 'EventWords'].map((name) => [name, readTranslation('zh-TW', name)]);
    const resources = { 'zh-TW': Object.fromEntries(texts) };
    await i18next.init({ lng: 'zh-TW', keySeparator: false, nsSeparator: false, resources });
  });

  test.each([
    ['emergency', '緊急求救'],
    ['video-loss', '影像遺失'],
    ['license-expired', '授權已到期'],
  ])('a built-in type has a name in the language of the user: %s', (code, name) => {
    expect(eventTypeText(code)).toBe(name);
  });

  test.each(['own-7', 'constructor', ''])('another type is called by its code: %j', (code) => {
    expect(eventTypeText(code)).toBe(code);
  });

  test('severity, status, category and source have a word', () => {
    expect([severityText('critical'), statusText('false-alarm'), categoryText('fence'), sourceText('system')]).toEqual([
      '危急',
      '誤報',
      '電子圍籬',
      '伺服器',
    ]);
  });
});
