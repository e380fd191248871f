import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';

const texts = readTranslation('zh-TW', 'Errors');

describe('what a failure says to the user (X-14, A-32)', () => {
  beforeAll(async () => {
    await i18next.init({ lng: 'zh-TW', keySeparator: false, resources: { 'zh-TW': { Errors: texts } } });
  });

  test('a code that the pages know is translated', () => {
    const failure = { ok: false, kind: 'http', status: 401, code: 'bad-credentials', message: 'no' } as const;
    expect(errorText(failure)).toBe(texts['bad-credentials']);
  });

  test.each(['E-77', 'constructor'])('with the unknown code %s the message is shown as it came', (code) => {
    const failure = { ok: false, kind: 'http', status: 500, code, message: '<i>E-77</i>' } as const;
    expect(errorText(failure)).toBe('<i>E-77</i>');
  });

  test('without a code the message is shown as it came', () => {
    expect(errorText({ ok: false, kind: 'http', status: 500, message: 'busy-9' })).toBe('busy-9');
  });

  test('without an answer a sentence stands before the browsers text', () => {
    const text = errorText({ ok: false, kind: 'network', message: 'Failed to fetch' });
    expect(text).toBe(`${texts["Can't reach the server. Check your network and try again."]} Failed to fetch`);
  });

  test('a call that was given up says nothing', () => {
    expect(errorText({ ok: false, kind: 'aborted' })).toBeUndefined();
  });
});
