// What a remote playback page says of a device that does not play, from the product's own texts.
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { remoteFailureText } from '../../../pages/remote/RemoteProgress.tsx';
import type { RemoteFailure } from '../../../pages/remote/remoteView.ts';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';

const LOCALES = LANGUAGES.map(({ locale }) => locale);
const NAMESPACES = ['Common', 'Errors', 'Player'];

beforeAll(async () => {
  const textsOf = (locale: string) => NAMESPACES.map((name) => [name, readTranslation(locale, name)]);
  await i18next.init({
    lng: 'en',
    ns: NAMESPACES,
    resources: Object.fromEntries(LOCALES.map((locale) => [locale, Object.fromEntries(textsOf(locale))])),
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});

const refusal = (code: string): RemoteFailure => ({
  kind: 'play',
  failure: { ok: false, kind: 'http', status: 409, code, message: 'not for users' },
});

describe.each(LOCALES)('what a remote playback page says in %s', (locale) => {
  beforeAll(() => i18next.changeLanguage(locale));

  it.each(['device-offline', 'device-refused', 'device-no-answer', 'nothing-recorded', 'busy', 'playback-broken-off'])(
    'when the device does not play: %s',
    (code) => {
      const wanted = readTranslation(locale, 'Errors')[code];
      expect(wanted).toMatch(/\S/);
      expect(remoteFailureText(refusal(code))).toBe(wanted);
    },
  );

  it('S-8.11: when the request gets no answer', () => {
    const failure = { ok: false, kind: 'network', message: 'Failed to fetch' } as const;
    const wanted = readTranslation(locale, 'Common')['connect failed'];
    expect(remoteFailureText({ kind: 'play', failure })).toBe(wanted);
    if (locale === 'en') expect(wanted).toMatch(/connect failed/i);
  });

  it('S-8.10: when the refusal has no code that is known, in the words of the server', () => {
    expect(remoteFailureText(refusal('E-77'))).toBe('not for users');
  });
});
