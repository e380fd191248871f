import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './testApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const get = (url: string, headers: Record<string, string> = {}) => test.request({ url, headers });

describe('the entry that answers a path (S-2.1.1)', () => {
  it.each([
    ['/', 'shell'],
    ['/x', 'shell'],
    ['/a/b/c', 'shell'],
    ['/dashboard', 'shell'],
    ['/live', 'shell'],
    ['/lives/x', 'shell'],
    ['/live/DEV@3/user/credential', 'live'],
    ['/live/a%2Fb/u/c', 'live'],
    ['/live/00ff', 'live'],
    ['/playback/DEV/0/2026-11-20T14:03:05Z/u/c', 'playback'],
    ['/remote/DEV/60/2026-11-20/u/c', 'remote'],
    ['/x?redirect=/live/x', 'shell'],
  ])('%s is the %s', async (url, title) => {
    const response = await get(url);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.body).toContain(`<title>${title}</title>`);
  });

  it('is the page itself below /innerpage', async () => {
    expect((await get('/innerpage/login.html')).body).toContain('<title>login</title>');
  });
});

describe('an inner page that does not exist', () => {
  it.each([
    [undefined, 'en', 'Page not found'],
    ['ja-JP,en;q=0.5', 'ja', 'ページが見つかりません'],
    ['zh-TW,zh;q=0.9', 'zh-Hant-TW', '找不到頁面'],
    ['de,ko;q=0.8', 'en', 'Page not found'],
  ])('is a notice in the language of the browser (%s), never the shell', async (language, tag, text) => {
    const response = await get(
      '/innerpage/nothing.html',
      language === undefined ? {} : { 'accept-language': language },
    );
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.body).toContain(`<html lang="${tag}">`);
    expect(response.body).toContain(text);
    expect(response.body).not.toContain('shell');
  });

  it.each(['/innerpage/', '/innerpage/x/y', '/innerpage/login.html/', '/innerpage/assets/gone.js'])(
    'is a 404 at %s',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );
});

describe('files', () => {
  it.each(['/assets/gone-abc.js', '/workers/gone.js', '/push-worker.js', '/api/gone', '/stream/gone', '/locales/gone'])(
    'that do not exist are never a page (%s)',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ error: true, code: 'not-found' });
    },
  );

  it.each(['/assets/shell-abc123.js', '/innerpage/assets/login-abc123.js'])(
    'with hashed names keep for a year (%s)',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(response.headers['content-type']).toMatch(/javascript/);
    },
  );

  it.each(['/workers/stream.worker.js', '/favicon.svg', '/', '/live/x', '/innerpage/login.html'])(
    'with lasting names are asked for again (%s)',
    async (url) => {
      const response = await get(url);
      expect(response.headers['cache-control']).toBe('no-cache');
      const again = await get(url, { 'if-none-match': String(response.headers.etag) });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe('');
    },
  );

  it('come compressed when the browser takes it and the build made it', async () => {
    const compressed = await get('/assets/shell-abc123.js', { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.headers.vary).toMatch(/accept-encoding/i);
    const plain = await get('/assets/shell-abc123.js');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  });

  it('are not to be had by the names of their compressed copies and entries', async () => {
    expect((await get('/assets/shell-abc123.js.gz')).statusCode).toBe(404);
    expect((await get('/shell/index.html')).body).toContain('<title>shell</title>');
    expect((await get('/live/index.html')).body).toContain('<title>live</title>');
  });
});

describe('headers', () => {
  const directives = (policy: unknown): Map<string, string> =>
    new Map(
      String(policy)
        .split('; ')
        .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
    );

  it.each([
    '/',
    '/live/x',
    '/innerpage/login.html',
    '/innerpage/gone.html',
    '/assets/shell-abc123.js',
    '/api/user/status',
    '/api/gone',
    '/%zz',
  ])('guard every answer (%s)', async (url) => {
    const { headers } = await get(url);
    const policy = directives(headers['content-security-policy']);
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('default-src')).toBe("'self'");
    expect(policy.get('object-src')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('let any site frame the three video pages, and this site alone the rest', async () => {
    const ancestors = async (url: string) =>
      directives((await get(url)).headers['content-security-policy']).get('frame-ancestors');
    for (const url of ['/live/x', '/playback/x', '/remote/x']) expect(await ancestors(url)).toBe('*');
    for (const url of ['/', '/innerpage/login.html', '/api/user/status']) expect(await ancestors(url)).toBe("'self'");
  });

  it("let the map's page and the map's worker ask the map's site, and no other page or script", async () => {
    const mapped = await createTestApp({ MAP_STYLE_URL: 'https://maps.example/style.json' });
    const mayAsk = async (url: string) =>
      directives((await mapped.request({ url })).headers['content-security-policy'])
        .get('connect-src')
        ?.includes('https://maps.example');
    // A worker obeys the policy of its own file, not that of the page that starts it.
    for (const url of ['/innerpage/dashboard.html', '/innerpage/assets/maplibre-gl-worker-ab_1-2.mjs']) {
      expect(await mayAsk(url), url).toBe(true);
    }
    for (const url of ['/', '/innerpage/login.html', '/innerpage/assets/login-abc123.js', '/api/user/status']) {
      expect(await mayAsk(url), url).toBe(false);
    }
    await mapped.close();
  });

  it('let the configured sites frame everything, and no other site anything', async () => {
    const framed = await createTestApp({ FRAME_ANCESTORS: 'https://portal.example, https://*.acme.example' });
    for (const url of ['/', '/live/x']) {
      const { headers } = await framed.request({ url });
      const policy = directives(headers['content-security-policy']);
      expect(policy.get('frame-ancestors')).toBe("'self' https://portal.example https://*.acme.example");
    }
    await framed.close();
  });
});
