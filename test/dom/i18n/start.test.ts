import type { i18n } from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { frameThisPage } from '../../support/browser/framed.ts';
import { watchWarnings } from '../../support/browser/renderPage.tsx';
import { type FakeGateway, fakeGateway, json, readTranslation } from '../../support/fakes/fakeGateway.ts';

/** A page starts i18next once; every test here is a page of its own. */
async function openPage() {
  vi.resetModules();
  const start = await import('../../../shared/i18n/start.ts');
  const { default: i18next } = await import('i18next');
  return { ...start, i18next: i18next as i18n };
}

function reads(gateway: FakeGateway): string[] {
  return gateway.calls.filter((call) => call.path.startsWith('/locales/load/')).map((call) => call.path.slice(14));
}

function speakAs(language: string): void {
  vi.spyOn(window.navigator, 'language', 'get').mockReturnValue(language);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

describe('the language of a page (S-7.19)', () => {
  test.each([
    ['zh-CN', null, 'zh-TW', 'zh-Hant-TW'],
    ['ja-JP', null, 'jp', 'ja'],
    ['de', null, 'en', 'en'],
    ['ja-JP', 'zh-TW', 'zh-TW', 'zh-Hant-TW'],
    ['ja-JP', 'xx', 'jp', 'ja'],
  ])('browser %s, stored %s: %s, and the page says %s', async (browser, stored, locale, tag) => {
    fakeGateway();
    speakAs(browser);
    if (stored !== null) localStorage.setItem('language', stored);
    const { startI18n, currentLocale } = await openPage();
    const started = startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    await started;
    expect(currentLocale()).toBe(locale);
    expect(document.documentElement.lang).toBe(tag);
  });

  test('asks for its own and the English files and for no other (S-7.11)', async () => {
    const gateway = fakeGateway();
    speakAs('zh-HK');
    const { startI18n, i18next } = await openPage();
    const started = startI18n({ namespaces: ['Common', 'Menu'] });
    await vi.advanceTimersByTimeAsync(100);
    await started;
    expect(reads(gateway).sort()).toEqual(['en/Common', 'en/Menu', 'zh-TW/Common', 'zh-TW/Menu']);
    expect(i18next.t('Logout')).toBe(readTranslation('zh-TW', 'Common').Logout);
  });

  test('a choice is stored and the page switches (S-3.8)', async () => {
    fakeGateway();
    const { startI18n, chooseLanguage, i18next } = await openPage();
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    void chooseLanguage('jp');
    await vi.advanceTimersByTimeAsync(100);
    expect(localStorage.getItem('language')).toBe('jp');
    expect(i18next.t('Logout')).toBe(readTranslation('jp', 'Common').Logout);
    expect(document.documentElement.lang).toBe('ja');
  });

  test('a choice in another tab switches this page (S-4.10)', async () => {
    fakeGateway();
    const { startI18n, currentLocale } = await openPage();
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'zh-TW' }));
    await vi.advanceTimersByTimeAsync(100);
    expect(currentLocale()).toBe('zh-TW');
  });

  test.each([
    ['search', 'jp'],
    ['language', 'xx'],
    ['language', null],
  ])('another tab storing %s = %s changes nothing', async (key, newValue) => {
    fakeGateway();
    const { startI18n, currentLocale } = await openPage();
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
    await vi.advanceTimersByTimeAsync(100);
    expect(currentLocale()).toBe('en');
  });

  test('a page whose storage throws starts, and keeps a choice as long as it lives', async () => {
    fakeGateway();
    const { startI18n, chooseLanguage, currentLocale } = await openPage();
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const { readStored } = await import('../../../shared/i18n/browserStorage.ts');
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    void chooseLanguage('jp');
    await vi.advanceTimersByTimeAsync(100);
    expect(currentLocale()).toBe('jp');
    expect(readStored('language')).toBe('jp');
  });
});

describe('a file that does not come', () => {
  const page = '/locales/load/jp/Common';

  test.each([
    [503, 6],
    [599, 6],
    [404, 1],
    [499, 1],
  ])('with status %i is asked for %i times (S-8.7)', async (status, times) => {
    const gateway = fakeGateway();
    localStorage.setItem('language', 'jp');
    gateway.on(`GET ${page}`, () => new Response('', { status }));
    const { startI18n } = await openPage();
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gateway.callsOf(page)).toHaveLength(times);
  });

  test('is asked for again after 350 ms, doubling, five times and then never (S-8.5)', async () => {
    const gateway = fakeGateway();
    localStorage.setItem('language', 'jp');
    const requestedAt: number[] = [];
    gateway.on(`GET ${page}`, () => {
      requestedAt.push(Date.now());
      return new TypeError('Failed to fetch');
    });
    const { startI18n } = await openPage();
    void startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(120_000);
    const gaps = requestedAt.slice(1).map((time, index) => time - (requestedAt[index] ?? 0));
    expect(gaps).toEqual([350, 700, 1_400, 2_800, 5_600]);
  });

  test('keeps the page waiting for 2 s, which then shows English and swaps the texts when they come', async () => {
    const gateway = fakeGateway();
    localStorage.setItem('language', 'jp');
    let arrive: (answer: Response) => void = () => undefined;
    gateway.on(`GET ${page}`, () => new Promise((resolve) => (arrive = resolve)));
    const { startI18n, i18next } = await openPage();
    let isShown = false;
    void startI18n({ namespaces: ['Common'] }).then(() => (isShown = true));

    await vi.advanceTimersByTimeAsync(1_990);
    expect(isShown).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(isShown).toBe(true);
    expect(i18next.t('Close')).toBe(readTranslation('en', 'Common').Close);

    arrive(json(readTranslation('jp', 'Common')));
    await vi.advanceTimersByTimeAsync(10);
    expect(i18next.t('Close')).toBe(readTranslation('jp', 'Common').Close);
  });

  test('at most ten are read at a time (S-8.6)', async () => {
    const gateway = fakeGateway();
    let open = 0;
    let most = 0;
    const namespaces = Array.from({ length: 14 }, (_, index) => `N${index}`);
    for (const namespace of namespaces) {
      gateway.on(`GET /locales/load/en/${namespace}`, async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 50));
        open--;
        return json({});
      });
    }
    const { startI18n } = await openPage();
    void startI18n({ namespaces });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(most).toBe(10);
    expect(reads(gateway)).toHaveLength(14);
  });
});

describe('a key that no file has (S-7.12, N-4)', () => {
  async function startWith(address: string) {
    const gateway = fakeGateway();
    gateway.on('POST /locales/add/jp/Common', { error: false });
    window.history.replaceState(null, '', address);
    localStorage.setItem('language', 'jp');
    const page = await openPage();
    void page.startI18n({ namespaces: ['Common'] });
    await vi.advanceTimersByTimeAsync(100);
    return { gateway, ...page };
  }

  test('is posted once, to the language in use, while somebody is signed in', async () => {
    const { gateway, setSignedIn, i18next } = await startWith('/');
    setSignedIn(true);
    expect([i18next.t('Unheard of'), i18next.t('Unheard of')]).toEqual(['Unheard of', 'Unheard of']);
    await vi.advanceTimersByTimeAsync(10);
    expect(gateway.callsOf('/locales/add/jp/Common').map((call) => call.body)).toEqual([
      { 'Unheard of': 'Unheard of' },
    ]);
  });

  test('is not posted by a page without a user, nor after sign-out', async () => {
    const { gateway, setSignedIn, i18next } = await startWith('/');
    i18next.t('Unheard of');
    setSignedIn(true);
    setSignedIn(false);
    i18next.t('Unheard of');
    await vi.advanceTimersByTimeAsync(10);
    expect(gateway.callsOf('/locales/add/jp/Common')).toEqual([]);
  });

  test('is not missing while English has it', async () => {
    const { gateway, setSignedIn, i18next } = await startWith('/');
    i18next.removeResourceBundle('jp', 'Common').addResourceBundle('jp', 'Common', {});
    setSignedIn(true);
    expect(i18next.t('Close')).toBe(readTranslation('en', 'Common').Close);
    await vi.advanceTimersByTimeAsync(10);
    expect(gateway.callsOf('/locales/add/jp/Common')).toEqual([]);
  });

  test('reads and posts carry the frame token (S-7.15)', async () => {
    frameThisPage();
    const { gateway, setSignedIn, i18next } = await startWith('/?sid=Tok_1');
    setSignedIn(true);
    i18next.t('Unheard of');
    await vi.advanceTimersByTimeAsync(10);
    expect(gateway.calls.length).toBe(3);
    expect(gateway.calls.map((call) => call.headers['connect-sid'])).toEqual(['Tok_1', 'Tok_1', 'Tok_1']);
    expect(gateway.calls.map((call) => call.headers['page-framed'])).toEqual(['1', '1', '1']);
  });
});

test('a page without any text shows itself all the same', async () => {
  watchWarnings();
  const gateway = fakeGateway();
  gateway.on('GET /locales/load/en/Common', () => new Response('<html>', { status: 200 }));
  const { startI18n, i18next } = await openPage();
  const started = startI18n({ namespaces: ['Common'] });
  await vi.advanceTimersByTimeAsync(2_100);
  await started;
  expect(i18next.t('Close')).toBe('Close');
});
