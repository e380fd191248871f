import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TapRequest } from '../../support/browser/tapRules.ts';
import { SERVER_PATH, STATUS_PATH } from '../../support/fakes/fakeUsers.ts';
import {
  isSignInPage,
  newPage,
  openShell,
  PASSWORD,
  type Site,
  signIn,
  startSite,
  textsOf,
} from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const LOGIN = '/innerpage/login.html';
const LOGOUT = '/api/user/logout';

let site: Site;
let host: Host;
beforeAll(async () => {
  host = await startHost();
  // The one other site that may frame the shell.
  site = await startSite({ FRAME_ANCESTORS: host.address });
});
afterAll(async () => {
  await site?.close();
  host?.close();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const menu = (page: Page) => page.getByRole('navigation');
const path = (page: Page) => new URL(page.url()).pathname;

async function fillIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('who is not signed in', () => {
  test('S-2.1.17, S-4.1 is sent to the sign-in page, and from there back to the page asked for', async () => {
    const page = await newPage(site);
    await page.goto('/report?nontop=1');
    await page.waitForURL(isSignInPage);
    await fillIn(page, 'chief', PASSWORD);
    await page.waitForURL((url) => url.pathname === '/report');
    expect(new URL(page.url()).search).toBe('?nontop=1');
    await menu(page).waitFor();
    await expect.poll(() => page.locator('iframe').getAttribute('src')).toBe('/innerpage/report.html?nontop=1');
  });

  test('the sign-in page leads to no other site', async () => {
    const page = await newPage(site);
    await page.goto(`${LOGIN}?return=${encodeURIComponent('//example.invalid/x')}`);
    await fillIn(page, 'viewer', PASSWORD);
    await menu(page).waitFor();
    expect(page.url()).toBe(`${site.tap.address}/`);
  });

  test('S-2.1.17 the sign-in page is there without a session', async () => {
    const page = await newPage(site);
    const answer = await page.request.get(LOGIN);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

describe('signing in', () => {
  test('with a wrong password or as nobody is refused with the same words', async () => {
    const page = await newPage(site, { allowed: [{ url: /\/api\/user\/login$/, status: 401 }] });
    for (const [username, password] of [
      ['chief', 'wrong password'],
      ['nobody', PASSWORD],
    ] as const) {
      await page.goto(LOGIN);
      await fillIn(page, username, password);
      const alert = page.getByRole('alert');
      await alert.waitFor();
      await expect.poll(() => alert.textContent()).toBe((await textsOf(page, 'en', 'Errors'))['bad-credentials']);
      expect(path(page)).toBe(LOGIN);
    }
  });

  test('works by keyboard alone, and the password can be shown', async () => {
    const page = await newPage(site);
    await page.goto(LOGIN);
    await page.getByLabel('Username').waitFor();
    await page.keyboard.type('viewer');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    await menu(page).waitFor();
  });
});

describe('waiting for the status', () => {
  test('S-4.1 shows neither the shell nor a redirect; the answer then decides', async () => {
    const page = await newPage(site, { user: 'viewer' });
    let release: () => void = () => undefined;
    site.tap.when({ path: STATUS_PATH }, { kind: 'hold', until: new Promise<void>((resolve) => (release = resolve)) });
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('progressbar').waitFor();
    await page.clock.runFor(5_000);
    await expect.poll(() => menu(page).count()).toBe(0);
    expect(path(page)).toBe('/');
    release();
    await menu(page).waitFor();
  });

  test('S-8.12, X-2 a failing status is waited out: no redirect, no message, and the shell when it works again', async () => {
    const page = await newPage(site, { user: 'viewer', allowed: [{ url: /\/api\/user\/status$/, status: 500 }] });
    const again = site.tap.when({ path: STATUS_PATH }, { kind: 'answer', status: 500, body: { error: true } });
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.clock.install();
    await page.goto('/');
    await waitFor('three questions', async () => {
      await page.clock.runFor(500);
      return site.tap.requests({ path: STATUS_PATH }).length >= 3;
    });
    expect(path(page)).toBe('/');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(warnings.filter((text) => text.includes(STATUS_PATH)).length).toBeGreaterThanOrEqual(2);
    again();
    await waitFor('the menu', async () => {
      await page.clock.runFor(500);
      return (await menu(page).count()) > 0;
    });
  });
});

describe('leaving', () => {
  test('S-2.1.4, S-4.2, S-7.3 Logout ends the session and leads to sign-in', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    await openShell(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(isSignInPage);
    const status = (await (await page.request.get(STATUS_PATH)).json()) as { data: { login: boolean } };
    expect(status.data.login).toBe(false);
    await page.goto('/');
    await page.waitForURL(isSignInPage);
  });

  test('S-4.2 Logout leads to plain sign-in, also when the pages notice meanwhile that the session is over', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    await openShell(page, '/dashboard');
    let answer = (): void => undefined;
    site.tap.when({ path: LOGIN }, { kind: 'hold', until: new Promise<void>((resolve) => (answer = resolve)) });
    // Set going before: a page that is on its way elsewhere runs nothing for a test.
    await page.evaluate(() => setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 200));
    await page.getByRole('button', { name: 'Logout' }).click({ noWaitAfter: true });
    await waitFor('the way to sign-in', () => site.tap.requests({ path: LOGIN }).length === 1);
    const told = () => page.waitForResponse((response) => response.url().endsWith(STATUS_PATH));
    await told();
    await told();
    answer();
    await page.waitForURL(isSignInPage);
    expect(new URL(page.url()).search).toBe('');
    expect(site.tap.requests({ path: LOGIN })).toHaveLength(1);
  });

  test('S-7.3 an image on a page of another site signs nobody out', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    await openShell(page);
    const other = await page.context().newPage();
    await other.goto(host.showing(`<img alt="" src="${site.tap.address}${LOGOUT}">`));
    await waitFor('the call', () => site.tap.requests({ path: LOGOUT }).length >= 1);
    await other.close();
    const { data } = (await (await page.request.get(STATUS_PATH)).json()) as { data: { login: boolean } };
    expect(data.login).toBe(true);
  });

  test('S-4.2 an answer that still reports a login changes nothing', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    await page.clock.install();
    await openShell(page);
    site.tap.when({ path: LOGOUT }, { kind: 'answer', body: { error: false, data: { login: true } } });
    const answered = page.waitForResponse((response) => response.url().endsWith(LOGOUT));
    await page.getByRole('button', { name: 'Logout' }).click();
    await (await answered).finished();
    await page.clock.runFor(3_000);
    expect(path(page)).toBe('/');
    await expect.poll(() => menu(page).count()).toBe(1);
  });

  test('S-8.12 a failing logout is only logged', async () => {
    const page = await newPage(site, {
      user: 'viewer',
      ownSession: true,
      allowed: [{ url: /logout$/, status: 'failed' }],
    });
    await openShell(page);
    site.tap.when({ path: LOGOUT }, { kind: 'cut' });
    const logged = page.waitForEvent(
      'console',
      (message) => message.text().includes(LOGOUT) && message.type() === 'warning',
    );
    await page.getByRole('button', { name: 'Logout' }).click();
    await logged;
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(path(page)).toBe('/');
  });

  test('a session that ended elsewhere is noticed when the page is looked at again', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    await openShell(page, '/dashboard');
    // Looked at from before the end on: its live updates notice it too, and a page on its way elsewhere runs nothing for a test.
    await page.evaluate(() => void setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 100));
    const headers = { 'sec-fetch-site': 'same-origin' };
    await page.request.get(LOGOUT, { headers });
    await page.waitForURL(isSignInPage);
    expect(new URL(page.url()).searchParams.get('return')).toBe('/dashboard');
  });

  test('a gateway that cannot be reached for a while under an open page changes nothing', async () => {
    const allowed = [{ url: /\/api\//, status: 'failed' as const }];
    const page = await newPage(site, { user: 'viewer', ownSession: true, allowed });
    await openShell(page);
    const again = site.tap.when({ path: /^\/api\// }, { kind: 'cut' });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await waitFor('two questions', () => site.tap.requests({ path: STATUS_PATH }).length >= 3);
    await expect.poll(() => menu(page).count()).toBe(1);
    again();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(isSignInPage);
  });
});

describe('the frame token', () => {
  test('S-5.1, S-7.15 of an address goes on every call, and out of the address bar', async () => {
    // By its name a browser is told from one of the test before whose last request is still on its way.
    const userAgent = 'frame token test';
    const isOwn = (call: TapRequest): boolean => call.headers['user-agent'] === userAgent;
    const page = await newPage(site, { userAgent });
    await page.goto(host.framing(`${site.tap.address}/innerpage/topbar.html?sid=Ab_9&nontop=0`));
    const framed = page.frameLocator('iframe');
    await framed.getByRole('banner').waitFor();
    expect(new URL(page.frames()[1]?.url() ?? '').search).toBe('?nontop=0');
    await framed.getByRole('combobox').selectOption('jp');
    await waitFor('the Japanese texts', () => site.tap.requests({ path: /^\/locales\/load\/jp\// }).length > 0);
    const calls = site.tap.requests({ path: /^\/(api|locales)\// }).filter(isOwn);
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.filter((call) => call.headers['connect-sid'] !== 'Ab_9')).toEqual([]);
  });

  // Every other value: test/unit/shared/api/pageFlags.test.ts.
  test('S-5.1 that is none goes on no call', async () => {
    const page = await newPage(site);
    for (const sid of ['Ab-9', 'a%0d%0ax', '']) {
      site.tap.reset();
      await page.goto(host.framing(`${site.tap.address}/innerpage/topbar.html?sid=${sid}`));
      await page.frameLocator('iframe').getByRole('banner').waitFor();
      const calls = site.tap.requests({ path: /^\/(api|locales)\// });
      expect(calls.length).toBeGreaterThan(0);
      expect(calls.filter((call) => 'connect-sid' in call.headers)).toEqual([]);
      expect(page.frames()[1]?.url()).not.toContain('sid');
    }
  });

  test('X-10 of somebody else opens nothing on a page that is not framed, and signing in there is one’s own', async () => {
    const other = await newPage(site, { user: 'operator' });
    const headers = { origin: site.tap.address };
    const answer = await other.request.post('/api/user/frametoken', { headers });
    const { data } = (await answer.json()) as { data: { sid: string } };
    site.tap.reset();

    const page = await newPage(site);
    await page.goto(`/dashboard?sid=${data.sid}`);
    await page.waitForURL(isSignInPage);
    expect(page.url()).not.toContain('sid');
    await fillIn(page, 'viewer', PASSWORD);
    await menu(page).getByText('viewer').waitFor();
    expect(site.tap.requests().filter((call) => 'connect-sid' in call.headers)).toEqual([]);
  });

  test('X-10, N-5 opens the shell in a page of another site whose cookies are blocked, and its frames too', async () => {
    const page = await newPage(site, { user: 'operator' });
    const origin = site.tap.address;
    const answer = await page.request.post('/api/user/frametoken', { headers: { origin } });
    const { data } = (await answer.json()) as { data: { sid: string } };
    site.tap.reset();

    // `localhost` is another site than 127.0.0.1: a SameSite=Lax cookie is not sent in its frames.
    await page.goto(host.framing(`${origin}/?sid=${data.sid}`));
    const shell = page.frameLocator('iframe');
    await shell.getByRole('navigation').getByText('operator').waitFor();
    await shell.getByRole('navigation').getByRole('link', { name: 'Report' }).click();
    await shell.locator(`iframe[src="/innerpage/report.html?sid=${data.sid}"]`).waitFor();
    const calls = site.tap.requests({ path: /^\/(api|locales)\// });
    expect(calls.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
    // A browser's WebSocket has no headers of the page's: the line of live updates says the token in its first message.
    const requests = calls.filter(({ kind }) => kind !== 'upgrade');
    expect(requests.filter(({ headers }) => headers['connect-sid'] !== data.sid)).toEqual([]);
    const framed = page.frames().find((frame) => frame.url().startsWith(origin) && !frame.url().includes('innerpage'));
    expect(framed?.url()).toBe(`${origin}/report`);
  });
});

describe('ones own password', () => {
  test('is changed from the menu; the old one then opens nothing', async () => {
    const allowed = [
      { url: /\/api\/user\/password$/, status: 403 },
      { url: /\/api\/user\/login$/, status: 401 },
    ];
    const page = await newPage(site, { user: 'viewer', ownSession: true, allowed });
    await openShell(page);
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill('not the password');
    await dialog.getByLabel('New password', { exact: true }).fill('battery staple');
    await dialog.getByLabel('Repeat new password').fill('battery staple');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Password changed.').waitFor();
    await expect.poll(() => menu(page).count()).toBe(1);
    await expect(signIn(page.context(), site.tap.address, 'viewer')).rejects.toThrow('401');
    expect(site.tap.requests({ path: SERVER_PATH }).length).toBeGreaterThan(0);
  });
});

interface Host {
  readonly address: string;
  /** A page of this site with that address in a frame. */
  framing(address: string): string;
  /** A page of this site with that in its body. */
  showing(body: string): string;
  close(): void;
}

/** Another site: http://localhost, where the product is at 127.0.0.1. */
async function startHost(): Promise<Host> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const framed = query.get('frame') ?? '';
    const frame = `<iframe src="${framed.replaceAll('&', '&amp;')}" width="1200" height="800"></iframe>`;
    const body = query.get('body') ?? frame;
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Host</title><link rel="icon" href="data:,">${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    address,
    showing: (body) => `${address}/?body=${encodeURIComponent(body)}`,
    framing: (framed) => `${address}/?frame=${encodeURIComponent(framed)}`,
    close: () => server.close(),
  };
}
