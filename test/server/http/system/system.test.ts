import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetting } from '../../../../server/http/system/serverSettings.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { createTestApp, METRICS_TOKEN, type TestApp, VERSION } from '../testApp.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({
    WEB_TITLE: 'ACME 監視',
    LIVE_LAYOUT: '3x3',
    MAX_LICENSE: '25',
    LICENSE_EXPIRES: '2027-01-31',
  });
});
afterEach(() => test.close());

const serverInfo = async (headers: Record<string, string> = {}) =>
  (await test.request({ url: '/api/system/server', headers })).json().data;

describe('server info (S-3.3, S-7.1)', () => {
  it('is trimmed for callers without system', async () => {
    await test.addUser('ann', [Permission.Event]);
    const forAll = {
      web_title: 'ACME 監視',
      simpleLive: { layout: '3x3' },
      simplePlayback: { layout: '' },
      linkKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(await serverInfo()).toEqual(forAll);
    expect(await serverInfo({ cookie: await test.signIn('ann') })).toEqual(forAll);
  });

  it('is whole with system, its times in seconds', async () => {
    await test.addUser('root', [Permission.System]);
    const info = await serverInfo({ cookie: await test.signIn('root') });
    expect(info).toMatchObject({ version: VERSION, max_license: 25, expired: Date.UTC(2027, 0, 31) / 1000 });
  });

  it('prefers what an administrator has set to what the environment presets', async () => {
    await test.stores.settings.set(ServerSetting.WebTitle, '');
    await test.stores.settings.set(ServerSetting.PlaybackLayout, '3x3');
    expect(await serverInfo()).toMatchObject({ web_title: '', simplePlayback: { layout: '3x3' } });
  });

  it('keeps one link key', async () => {
    const keys = await Promise.all([serverInfo(), serverInfo(), serverInfo()]);
    expect(new Set(keys.map(({ linkKey }) => linkKey)).size).toBe(1);
    expect((await serverInfo()).linkKey).toBe(keys[0].linkKey);
  });
});

describe('member groups (S-7.4, S-7.5)', () => {
  let north: number;
  let south: number;
  let foreign: number;
  let cookie: string;
  beforeEach(async () => {
    north = await test.stores.memberGroups.insert({ name: 'North' });
    south = await test.stores.memberGroups.insert({ name: 'South', retentionDays: 7 });
    foreign = await test.stores.memberGroups.insert({ name: 'Foreign' });
    await test.addUser('ann', [Permission.MemberGroup], [north, south]);
    cookie = await test.signIn('ann');
  });
  const choose = (body: unknown, headers = { cookie }) =>
    test.request({ method: 'PUT', url: '/api/system/member', headers, body: body as object });
  const status = async () => (await test.request({ url: '/api/user/status', headers: { cookie } })).json().data;

  it('lists the caller’s own groups', async () => {
    const response = await test.request({ url: '/api/system/membergroup', headers: { cookie } });
    expect(response.json()).toEqual({
      error: false,
      data: [
        { serialno: north, name: 'North' },
        { serialno: south, name: 'South' },
      ],
    });
  });

  it('makes one of them the current one, for this session and the next', async () => {
    expect((await choose({ self: true, membergroup: south })).json()).toMatchObject({ error: false });
    expect(await status()).toMatchObject({ membergroup: south, retentiondays: 7 });
    cookie = await test.signIn('ann');
    expect((await status()).membergroup).toBe(south);
  });

  it('leaves the group of the user’s other sessions alone', async () => {
    const elsewhere = await test.signIn('ann');
    await choose({ self: true, membergroup: south }, { cookie: elsewhere });
    expect((await status()).membergroup).toBe(north);
  });

  it.each([
    ['a foreign group', () => ({ self: true, membergroup: foreign }), 404],
    ['an unknown group', () => ({ self: true, membergroup: 999_999 }), 404],
    ['a number as text', () => ({ self: true, membergroup: String(south) }), 400],
    ['a fraction', () => ({ self: true, membergroup: south + 0.5 }), 400],
    ['a list', () => [{ self: true, membergroup: south }], 400],
    ['null', () => null, 400],
    ['no self', () => ({ membergroup: south }), 400],
    ['another’s', () => ({ self: false, membergroup: south }), 400],
    ['more than the two fields', () => ({ self: true, membergroup: south, permission: ['system'] }), 400],
  ])('refuses %s and changes nothing', async (_what, body, expected) => {
    const response = await choose(body());
    expect(response.statusCode).toBe(expected);
    expect(response.json()).toMatchObject({ error: true });
    expect((await status()).membergroup).toBe(north);
  });

  it('need the permission membergroup', async () => {
    await test.addUser('bob', [Permission.System], [north]);
    const headers = { cookie: await test.signIn('bob') };
    expect((await test.request({ url: '/api/system/membergroup', headers })).statusCode).toBe(403);
    expect((await choose({ self: true, membergroup: north }, headers)).statusCode).toBe(403);
  });
});

describe('translations (S-7.11, S-7.12)', () => {
  it.each(['en', 'zh-TW', 'jp'])('are loaded without a session (%s)', async (language) => {
    const response = await test.request({ url: `/locales/load/${language}/Common` });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toHaveProperty('Logout');
    expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    const again = { 'if-none-match': String(response.headers.etag) };
    expect((await test.request({ url: `/locales/load/${language}/Common`, headers: again })).statusCode).toBe(304);
  });

  it.each([
    '/locales/load/fr/Common',
    '/locales/load/en/Nothing',
    '/locales/load/EN/Common',
    '/locales/load/en/Common.json',
    '/locales/load/..%2f..%2f/package',
    '/locales/load/en/..%2fjp%2fCommon',
    '/locales/load/en/..%5C..%5Cpackage',
    '/locales/load/en/Common%00',
    '/locales/load/__proto__/constructor',
    `/locales/load/en/${'x'.repeat(90)}`,
  ])('are nothing at %s', async (url) => {
    const { statusCode } = await test.request({ url });
    expect([400, 404]).toContain(statusCode);
  });

  it('that are missing are noted for a signed-in caller, bounded, and never fail', async () => {
    await test.addUser('ann');
    const headers = { cookie: await test.signIn('ann') };
    const add = (body: object, url = '/locales/add/en/Common') => test.request({ method: 'POST', url, headers, body });
    expect((await add({ 'Missing key': 'Missing key' })).json()).toEqual({ error: false, data: {} });
    for (let batch = 0; batch < 25; batch++) {
      const keys = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${batch} ${index}`, 'x']));
      expect((await add(keys)).statusCode).toBe(200);
    }
    expect((await add({ ['y'.repeat(201)]: 'x', '': 'x' })).statusCode).toBe(200);
    expect((await add({ 'a\u0000b': 'x' })).statusCode).toBe(400);
    const noted = await test.stores.missingTranslations.list();
    expect(noted).toHaveLength(2_000);
    expect(noted[0]?.key).toBe('Missing key');
    expect((await add({ a: 'b' }, '/locales/add/fr/Common')).statusCode).toBe(404);
    expect((await add([1, 2])).statusCode).toBe(400);
  });
});

describe('operation', () => {
  it('says that it is alive and ready', async () => {
    expect((await test.request({ url: '/healthz' })).json()).toEqual({ error: false, data: { alive: true } });
    expect((await test.request({ url: '/readyz' })).json()).toEqual({ error: false, data: { ready: true } });
  });

  it('shows metrics to the token’s holder, and to nobody else that they exist', async () => {
    await test.request({ url: '/api/system/server' });
    const authorization = `Bearer ${METRICS_TOKEN}`;
    const metrics = await test.request({ url: '/metrics', headers: { authorization } });
    expect(metrics.headers['content-type']).toMatch(/^text\/plain/);
    expect(metrics.body).toMatch(
      /fleetglass_http_request_duration_seconds_count\{method="GET",route="\/api\/system\/server",status="200"\} 1/,
    );
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: METRICS_TOKEN }]) {
      expect((await test.request({ url: '/metrics', headers })).statusCode).toBe(404);
    }
  });

  it('describes every call of the API in OpenAPI', async () => {
    const document = (await test.request({ url: '/api/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    for (const { method, url } of test.routes) {
      if (!url.startsWith('/api/') || url === '/api/openapi.json' || method === 'HEAD') continue;
      expect(document.paths[url.replaceAll(/:(\w+)/g, '{$1}')], url).toHaveProperty(method.toLowerCase());
    }
    expect(document.paths['/api/user/login'].post.requestBody.content['application/json'].schema.required).toEqual([
      'username',
      'password',
    ]);
  });

  it('is not ready while the database does not answer', async () => {
    test.health.ready = false;
    const response = await test.request({ url: '/readyz' });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ error: true, code: 'not-ready' });
  });
});
