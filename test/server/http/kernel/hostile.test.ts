// Requests that nobody sends by mistake, and what each of them gets. None reaches a 500, and none leaves a trace of
// our files in its answer.
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

let test: TestApp;
let cookie: string;
beforeAll(async () => {
  test = await createTestApp();
  await test.addUser('ann', ['membergroup', 'system'], [await test.stores.memberGroups.insert({ name: 'North' })]);
  cookie = await test.signIn('ann');
});
afterAll(() => test.close());

const json = { 'content-type': 'application/json' };
const login = (body: unknown): InjectOptions => ({ method: 'POST', url: '/api/user/login', body: body as object });
const member = (payload: string, headers: Record<string, string> = json): InjectOptions => ({
  method: 'PUT',
  url: '/api/system/member',
  headers,
  payload,
});
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const table: readonly (readonly [string, InjectOptions, number])[] = [
  ['encoded separators', { url: '/..%2f..%2f..%2fetc%2fpasswd' }, 404],
  ['encoded backslashes', { url: '/..%5C..%5Cwindows%5Cwin.ini' }, 404],
  ['separators encoded twice', { url: '/innerpage/..%252f..%252fpackage.json' }, 404],
  ['encoded ones below the assets', { url: '/assets/..%2f..%2fpackage.json' }, 404],
  ['backslashes below the assets', { url: '/assets/..%5c..%5cpackage.json' }, 404],
  ['an absolute path', { url: '/assets//etc/passwd' }, 404],
  ['a zero byte', { url: '/assets/shell-abc123.js%00.html' }, 400],
  ['an overlong encoding', { url: '/%c0%ae%c0%ae/etc/passwd' }, 400],
  ['a broken encoding', { url: '/%zz' }, 400],
  ['a half encoding', { url: '/api/%' }, 400],
  ['a very long address', { url: `/${'a'.repeat(10_000)}` }, 200],
  ['a very long parameter', { url: `/locales/load/en/${'a'.repeat(10_000)}` }, 404],
  ['an id as a path', { url: '/api/device/device?username=u&credential=c&deviceid=../../etc/passwd' }, 403],
  [
    'an id with SQL',
    { url: `/api/device/device?username=u&credential=c&deviceid=${encodeURIComponent("' or 1=1 --")}` },
    403,
  ],
  ['an id with a zero byte', { url: '/api/device/device?username=u&credential=c&deviceid=%00' }, 400],
  ['an id given twice', { url: '/api/device/device?username=u&credential=c&deviceid=a&deviceid=b' }, 400],
  ['an id as an object', { url: '/api/device/device?username=u&credential=c&deviceid[x]=a' }, 400],
  ['no credential', { url: '/api/device/device?username=u&deviceid=a' }, 400],
  [
    'a prototype as a parameter',
    { url: '/api/device/device?__proto__[admin]=1&username=u&credential=c&deviceid=a' },
    403,
  ],
  ['a method that the address does not take', { method: 'DELETE', url: '/api/user/login' }, 405],
  ['another one', { method: 'PATCH', url: '/api/system/member' }, 405],
  ['GET on a POST', { url: '/api/user/login' }, 405],
  ['GET on a POST with parameters', { url: '/locales/add/en/Common' }, 405],
  ['POST on a GET', { method: 'POST', url: '/api/system/server' }, 405],
  ['POST on a page', { method: 'POST', url: '/dashboard' }, 404],
  ['OPTIONS', { method: 'OPTIONS', url: '/api/user/login' }, 405],
  ['TRACE', { method: 'TRACE' as 'GET', url: '/' }, 404],
  ['a body that is no JSON', { ...login(''), headers: json, payload: '{' }, 400],
  ['an empty body', { ...login(''), headers: json, payload: '' }, 400],
  ['a body of another kind', { ...login(''), headers: { 'content-type': 'text/plain' }, payload: 'username=a' }, 400],
  ['a form', { ...login(''), headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' }, 415],
  ['a kind of body that does not exist', { ...login(''), headers: { 'content-type': '\u00ff' }, payload: 'a' }, 415],
  ['a list', login([]), 400],
  ['a number as a name', login({ username: 1, password: 'x' }), 400],
  ['an object as a name', login({ username: { $ne: '' }, password: { $ne: '' } }), 400],
  ['a name with a line break', login({ username: 'a\r\nset-cookie: x', password: 'x' }), 400],
  ['a name with a zero byte', login({ username: 'a\u0000', password: 'x' }), 400],
  ['half a surrogate pair', login({ username: '\ud800', password: '\udfff' }), 400],
  ['a very long name', login({ username: 'a'.repeat(300), password: 'x' }), 400],
  ['a very long password', login({ username: 'a', password: 'x'.repeat(300) }), 400],
  ['one field too many', login({ username: 'ann', password: PASSWORD, permissions: ['system'] }), 400],
  ['a prototype in a body', { ...login(''), headers: json, payload: '{"__proto__":{"admin":true}}' }, 400],
  ['an oversized body', login({ username: 'a', password: 'x'.repeat(70_000) }), 413],
  ['a deep body', member(deep(5_000)), 400],
  ['a number past what there is', member('{"self":true,"membergroup":1e400}'), 400],
  ['a number past 64 bits', member('{"self":true,"membergroup":99999999999999999999999}'), 404],
  ['a foreign Origin', member('{}', { ...json, origin: 'https://evil.example' }), 403],
  ['the Origin null', member('{}', { ...json, origin: 'null' }), 403],
  ['an Origin that is none', member('{}', { ...json, origin: 'gateway.test' }), 403],
  ['another port', member('{}', { ...json, origin: 'http://gateway.test:81' }), 403],
  ['a name that ends like ours', member('{}', { ...json, origin: 'http://evil-gateway.test' }), 403],
  ['a cookie that is none', { url: '/api/user/status', headers: { cookie: 'fleetglass_sid=%00; ;;=' } }, 200],
  [
    'a token that is none',
    { url: '/api/user/status', headers: { 'connect-sid': "' or 1=1", 'page-framed': '1' } },
    200,
  ],
  ['a range past the end', { url: '/favicon.svg', headers: { range: 'bytes=999999-' } }, 416],
  ['a thousand ranges', { url: '/favicon.svg', headers: { range: `bytes=${'0-1,'.repeat(1_000)}0-1` } }, 206],
];

describe('a hostile request', () => {
  it.each(table)('with %s', async (_what, options, expected) => {
    const headers = { cookie, ...options.headers };
    const response = await test.request({ ...options, headers });
    expect(response.statusCode).toBe(expected);
    expect(response.body).not.toMatch(/root:|\[fonts\]|"dependencies"|node_modules|\/work\/|at .*\.ts:/);
    if (expected >= 400 && expected !== 416 && !String(options.url).startsWith('/innerpage')) {
      expect(response.json()).toMatchObject({ error: true, code: expect.any(String), message: expect.any(String) });
    }
  });

  it('with no Origin passes only when no browser sent it', async () => {
    const send = (headers: Record<string, string>) =>
      test.app.inject({
        method: 'POST',
        url: '/api/user/login',
        headers: { host: 'gateway.test', ...headers },
        body: {},
      });
    expect((await send({})).statusCode).toBe(400);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await send({ 'sec-fetch-site': 'same-site' })).statusCode).toBe(403);
  });

  it('leaves nothing of itself in the log but its route', async () => {
    expect(test.logged()).not.toMatch(/etc|passwd|evil|1=1|package\.json/);
  });
});
