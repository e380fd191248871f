// A browser that has signed in before has a lane of its own: what strangers do to the account does not reach it.
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_BROWSER_MS } from '../../../../server/auth/knownBrowsers.ts';
import { runAdmin } from '../../../../server/commands/admin.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';
import { codeAt } from './scene.ts';

const NEW_PASSWORD = 'a quite new password';

let test: TestApp;
let ann: number;
beforeEach(async () => {
  test = await createTestApp();
  ann = await test.addUser('ann');
});
afterEach(() => test.close());

interface Sender {
  readonly cookies?: string;
  readonly address?: string;
}

const post = (url: string, body: object, { cookies = '', address = '192.0.2.1' }: Sender = {}) =>
  test.request({ method: 'POST', url, body, remoteAddress: address, headers: { cookie: cookies } });
const login = (password: string, sender?: Sender, username = 'ann') =>
  post('/api/user/login', { username, password }, sender);

/** All cookies of an answer, as the browser's next request carries them. */
const jar = (answer: LightMyRequestResponse): string =>
  answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
const browserCookie = (answer: LightMyRequestResponse) =>
  answer.cookies.find(({ name }) => name.endsWith('fleetglass_browser'));
const browserOf = (answer: LightMyRequestResponse): string => `fleetglass_browser=${browserCookie(answer)?.value}`;

/** Whether the browser still has its lane, seen by who has to wait behind the strangers. */
async function isKnown(cookies: string, password = PASSWORD): Promise<boolean> {
  for (let attempt = 0; attempt < 6; attempt++) await login('wrong');
  test.waits.length = 0;
  expect((await login(password, { cookies })).statusCode).toBe(200);
  return test.waits.length === 0;
}

describe('the cookie of a browser that has signed in', () => {
  it('is no secret of the session: scripts and other sites do not get it, and only its hash is kept', async () => {
    const cookie = browserCookie(await login(PASSWORD));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: KNOWN_BROWSER_MS / 1000 });
    expect(cookie?.value).toMatch(/^[A-Za-z\d]{27}$/);
    expect(await test.stores.knownBrowsers.knows(cookie?.value ?? '', ann, test.clock.now)).toBe(false);
    const answer = await test.request({
      url: '/api/user/status',
      headers: { cookie: browserOf(await login(PASSWORD)) },
    });
    expect(answer.json().data).toEqual({ login: false });
  });

  it('is bound to this host over TLS', async () => {
    await test.close();
    test = await createTestApp({ TRUSTED_PROXIES: 'loopback' });
    await test.addUser('ann');
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', origin: 'https://gateway.test' };
    const body = { username: 'ann', password: PASSWORD };
    const answer = await test.request({ method: 'POST', url: '/api/user/login', body, headers });
    expect(browserCookie(answer)).toMatchObject({ name: '__Host-fleetglass_browser', secure: true, httpOnly: true });
  });

  it('comes with the session and never for the password alone', async () => {
    expect(browserCookie(await login('wrong'))).toBeUndefined();
    await test.stores.settings.set('second_factor', 'required');
    const owed = await login(PASSWORD);
    expect(owed.json().data).toMatchObject({ login: false, step: 'enrol' });
    expect(owed.cookies).toEqual([]);
  });

  it('is renewed by each sign-in, and the one before is worth nothing', async () => {
    const first = browserOf(await login(PASSWORD));
    const second = browserOf(await login(PASSWORD, { cookies: first }));
    expect(second).not.toBe(first);
    expect(await isKnown(first)).toBe(false);
    expect(await isKnown(second)).toBe(true);
  });

  it('knows several accounts, each by its own sign-in', async () => {
    await test.addUser('bob');
    const first = browserOf(await login(PASSWORD));
    const both = browserOf(await login(PASSWORD, { cookies: first }, 'bob'));
    expect(await isKnown(both)).toBe(true);
    const bobsOnly = browserOf(await login(PASSWORD, {}, 'bob'));
    expect(await isKnown(bobsOnly)).toBe(false);
  });
});

describe('an account that strangers try', () => {
  it('stays open to its browser without a wait, from the very same address', async () => {
    const cookies = browserOf(await login(PASSWORD));
    for (let attempt = 0; attempt < 17; attempt++) await login('wrong');
    test.waits.length = 0;
    expect((await login(PASSWORD, { cookies })).statusCode).toBe(200);
    expect(test.waits).toEqual([]);
  });

  it('stays open to somebody at that address who has no cookie yet', async () => {
    const wrong = Array.from({ length: 17 }, () => login('wrong'));
    const right = login(PASSWORD);
    expect((await right).statusCode).toBe(200);
    expect((await Promise.all(wrong)).every(({ statusCode }) => statusCode === 401)).toBe(true);
  });

  it('slows its browser down for that browser’s own failures', async () => {
    const cookies = browserOf(await login(PASSWORD));
    for (let attempt = 0; attempt < 6; attempt++) await login('wrong', { cookies });
    expect(test.waits).toEqual([500, 1_000]);
  });

  it('lets its owner change the password and prove it while strangers guess', async () => {
    const cookies = jar(await login(PASSWORD));
    for (let attempt = 0; attempt < 8; attempt++) await login('wrong');
    test.waits.length = 0;
    const changed = await post('/api/user/password', { password: PASSWORD, newPassword: NEW_PASSWORD }, { cookies });
    expect(changed.statusCode).toBe(200);
    expect(test.waits).toEqual([]);
  });

  it('lets its browser give a code that somebody with the password has used up the tries of', async () => {
    let cookies = jar(await login(PASSWORD));
    const begun = await post('/api/user/secondfactor', { password: PASSWORD }, { cookies });
    const { secret } = begun.json().data;
    await post('/api/user/secondfactor/confirm', { code: codeAt(secret, test.clock.now) }, { cookies });
    test.clock.now = wallMs(test.clock.now + 60_000);
    cookies = cookies.replace(/fleetglass_sid=\w+/, '');
    const ticketOf = async (sender: Sender) => (await login(PASSWORD, sender)).json().data.ticket;
    for (let attempt = 0; attempt < 6; attempt++) {
      const answer = await post('/api/user/login/code', { ticket: await ticketOf({}), code: '000000' });
      expect(answer.statusCode).toBe(attempt < 5 ? 401 : 429);
    }
    const code = codeAt(secret, test.clock.now);
    const stranger = await post('/api/user/login/code', { ticket: await ticketOf({}), code });
    expect(stranger.statusCode).toBe(429);
    const owner = await post('/api/user/login/code', { ticket: await ticketOf({ cookies }), code }, { cookies });
    expect(owner.json().data).toMatchObject({ login: true });
    // The stranger goes on waiting.
    const later = codeAt(secret, test.clock.now + 30_000);
    expect((await post('/api/user/login/code', { ticket: await ticketOf({}), code: later })).statusCode).toBe(429);
  });
});

describe('a known browser becomes a stranger again when', () => {
  it('it has not signed in for half a year', async () => {
    const cookies = browserOf(await login(PASSWORD));
    test.clock.now = wallMs(test.clock.now + KNOWN_BROWSER_MS);
    expect(await isKnown(cookies)).toBe(false);
    await test.stores.knownBrowsers.removeEnded(test.clock.now);
  });

  it('the password is changed in another one, and the one that changed it stays known', async () => {
    const elsewhere = browserOf(await login(PASSWORD));
    const here = jar(await login(PASSWORD));
    const body = { password: PASSWORD, newPassword: NEW_PASSWORD };
    const changed = await post('/api/user/password', body, { cookies: here });
    expect(await isKnown(elsewhere, NEW_PASSWORD)).toBe(false);
    expect(await isKnown(browserOf(changed), NEW_PASSWORD)).toBe(true);
  });

  it('its owner ends all other sessions from another one', async () => {
    const elsewhere = browserOf(await login(PASSWORD));
    const here = await login(PASSWORD);
    const headers = { cookie: jar(here) };
    expect((await test.request({ method: 'DELETE', url: '/api/user/sessions', headers })).statusCode).toBe(200);
    expect(await isKnown(elsewhere)).toBe(false);
    expect(await isKnown(browserOf(here))).toBe(true);
  });

  it('an administrator resets the password', async () => {
    const cookies = browserOf(await login(PASSWORD));
    await test.addUser('admin', ALL_PERMISSIONS);
    const headers = { cookie: await test.signIn('admin') };
    const url = `/api/membership/members/${ann}/password`;
    await test.request({ method: 'PUT', url, headers, body: { password: NEW_PASSWORD } });
    expect(await isKnown(cookies, NEW_PASSWORD)).toBe(false);
  });

  it.each(['reset-password', 'reset-second-factor'] as const)('%s is run on the machine', async (kind) => {
    const cookies = browserOf(await login(PASSWORD));
    await runAdmin({ kind, name: 'ann' }, { ...test, now: () => test.clock.now });
    await test.stores.users.setPasswordHash(ann, await test.passwords.hash(PASSWORD), test.clock.now);
    expect(await isKnown(cookies)).toBe(false);
  });
});
