// What every answer says of itself, and what no call takes.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSelfSigned } from '../../../../server/http/tls/selfSigned.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';
import { createTestApp, METRICS_TOKEN, type TestApp, VERSION } from '../testApp.ts';

describe('an answer of the API', () => {
  let test: TestApp;
  let cookie: string;
  beforeAll(async () => {
    test = await createTestApp();
    await test.addUser('root', ALL_PERMISSIONS);
    cookie = await test.signIn('root');
  });
  afterAll(() => test.close());

  it.each([
    ['/api/user/status', 200],
    ['/api/system/server', 200],
    ['/api/openapi.json', 200],
    ['/api/membership/members', 200],
    ['/api/audit/entries/csv', 405],
    ['/api/download/none', 404],
    ['/api/audit/entries?limit=101', 400],
    ['/api/nothing', 404],
    ['/api/user/login', 405],
    ['/api/%', 400],
    ['/metrics', 404],
    ['/healthz', 200],
    ['/readyz', 200],
  ])('is kept by nobody and differs by who asks: %s (%d)', async (url, status) => {
    const answer = await test.request({ url, headers: { cookie } });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(String(answer.headers.vary).toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['cookie', 'connect-sid', 'page-framed', 'origin']),
    );
  });

  it('is no answer to keep when nobody is signed in, or with the token of the metrics', async () => {
    const refused = await test.request({ url: '/api/membership/members' });
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'no-store']);
    const authorization = `Bearer ${METRICS_TOKEN}`;
    const metrics = await test.request({ url: '/metrics', headers: { authorization } });
    expect([metrics.statusCode, metrics.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('leaves the files of the site to be kept as they were', async () => {
    const cacheOf = async (url: string) => (await test.request({ url })).headers['cache-control'];
    expect(await cacheOf('/assets/shell-abc123.js')).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/dashboard')).toBe('no-cache');
    expect(await cacheOf('/locales/load/en/Common')).toBe('no-cache');
    const asset = await test.request({ url: '/assets/shell-abc123.js' });
    expect(asset.headers.vary).toBe('accept-encoding');
  });

  it('tells nobody the version who is not signed in', async () => {
    const { body } = await test.request({ url: '/api/openapi.json' });
    expect(body).not.toContain(VERSION);
    expect(JSON.parse(body)).toMatchObject({ openapi: '3.1.0', info: { version: '1' } });
  });
});

describe('the order to come over TLS only', () => {
  let test: TestApp;
  afterEach(() => test.close());
  const pins = async (headers: Record<string, string> = {}) => {
    const answers = await Promise.all(
      ['/dashboard', '/api/user/status', '/api/nothing', '/assets/shell-abc123.js'].map((url) =>
        test.request({ url, headers }),
      ),
    );
    return [...new Set(answers.map((answer) => answer.headers['strict-transport-security']))];
  };

  it('is given by every answer behind a trusted proxy that speaks TLS, for this host alone', async () => {
    test = await createTestApp({ TRUSTED_PROXIES: 'loopback' });
    expect(await pins({ 'x-forwarded-proto': 'https' })).toEqual(['max-age=15552000']);
    expect(await pins()).toEqual([undefined]);
  });

  it('is not given over plain HTTP, whatever somebody says who is not trusted', async () => {
    test = await createTestApp();
    expect(await pins({ 'x-forwarded-proto': 'https' })).toEqual([undefined]);
  });

  it('is not given with a certificate that signs itself', async () => {
    const year = 365 * 86_400_000;
    const tls = createSelfSigned({ hosts: ['localhost'], fromMs: Date.now() - 1_000, toMs: Date.now() + year });
    test = await createTestApp({}, { tls });
    expect(await pins()).toEqual([undefined]);
    const answer = await test.request({ url: '/api/user/status' });
    expect(answer.statusCode).toBe(200);
  });
});

describeOnBothEngines('text that the database cannot keep', (engine) => {
  let test: TestApp;
  let cookie: string;
  beforeAll(async () => {
    test = await createTestApp({}, { engine });
    await test.addUser('root', ALL_PERMISSIONS, [await test.stores.memberGroups.insert({ name: 'North' })]);
    cookie = await test.signIn('root');
  }, 60_000);
  afterAll(() => test.close());

  const lists = [
    '/api/devicegroup/devices',
    '/api/link/links',
    '/api/link/devices',
    '/api/audit/entries',
    '/api/membership/members',
    '/api/membership/groups',
    '/api/membership/sessions',
  ];
  it.each(lists)('is no search of %s', async (url) => {
    const answer = await test.request({ url: `${url}?search=%00`, headers: { cookie } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: true });
  });

  it.each([
    ['GET', '/api/audit/entries?actor=%00', undefined],
    ['GET', '/api/audit/entries/csv?search=a%00b', undefined],
    ['GET', '/api/link/links/csv?search=%00', undefined],
    ['POST', '/api/devicegroup/devices/csv?search=%00', undefined],
    ['GET', '/api/devicegroup/devices/%00', undefined],
    ['GET', '/api/device/device?username=%00&credential=c&deviceid=a', undefined],
    ['POST', '/api/devicegroup/groups', { name: 'a\u0000b', parent: null }],
    ['POST', '/api/devicegroup/groups', { name: '\ud800', parent: null }],
    ['POST', '/api/membership/groups', { name: '\u0000', retentionDays: 0, expiresAtMs: 0, deviceGroups: [] }],
    ['POST', '/api/dashboard/walls', { name: 'a\u0000', channels: [], cycleSeconds: 0 }],
    ['PUT', '/api/user/profile', { displayName: 'a\udfff', language: '', timeZone: '' }],
    ['POST', '/api/user/login', { username: 'root', password: 'a\u0000b' }],
    ['POST', '/locales/add/en/Common', { 'a\u0000b': 'x' }],
    ['POST', '/locales/add/en/Common', { '\ud800': 'x' }],
  ] as const)('is refused by %s %s', async (method, url, body) => {
    const options = body === undefined ? {} : { body };
    const answer = await test.request({ method, url, headers: { cookie }, ...options });
    expect([400, 404, 405]).toContain(answer.statusCode);
  });

  it('is a fault of its row in an import', async () => {
    const csv = 'deviceid,name,notes\r\nDEV1,a\u0000b,\r\nDEV2,b,c\u0000\r\n';
    const headers = { cookie, 'content-type': 'text/csv' };
    const url = '/api/devicegroup/import/check';
    const answer = await test.request({ method: 'POST', url, headers, payload: csv });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data.counts).toMatchObject({ added: 0, refused: 2 });
  });
});

it('whoever signs in through a proxy that is not trusted is told so in the log, once for each address', async () => {
  const test = await createTestApp({ TRUSTED_PROXIES: '10.0.0.1' });
  onTestFinished(() => test.close());
  const send = (remoteAddress: string, headers: Record<string, string>) =>
    test.request({
      method: 'POST',
      url: '/api/user/login',
      body: { username: 'a', password: 'b' },
      remoteAddress,
      headers,
    });
  await send('192.0.2.7', {});
  await send('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' });
  expect(test.logged()).not.toContain('TRUSTED_PROXIES');
  for (let attempt = 0; attempt < 3; attempt++) await send('192.0.2.8', { 'x-forwarded-for': '203.0.113.9' });
  await send('192.0.2.9', { forwarded: 'for=203.0.113.9' });
  const warnings = test
    .logged()
    .split('\n')
    .filter((line) => line.includes('TRUSTED_PROXIES'));
  expect(warnings.map((line) => JSON.parse(line).proxy)).toEqual(['192.0.2.8', '192.0.2.9']);
  for (let host = 0; host < 40; host++) await send(`198.51.100.${host}`, { 'x-forwarded-for': '1.2.3.4' });
  expect(test.logged().split('TRUSTED_PROXIES').length - 1).toBe(16);
  expect(test.limits).toContain('http.proxies.named');
});
