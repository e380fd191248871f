// Who is sent to sign in, and comes back; how a session ends; pages of another site. What the pages say of each answer:
// test/dom/innerpage/login.test.tsx and test/dom/shell/shell.test.tsx.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectMainPadding } from '../../support/browser/framedPage.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import type { TapRequest } from '../../support/browser/tapRules.ts';
import { STATUS_PATH } from '../../support/fakes/fakeUsers.ts';
import {
  answerFrames,
  isSignInPage,
  newPage,
  openShell,
  PASSWORD,
  type Site,
  sharedSite,
  signIn,
  textsOf,
} from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const LOGIN = '/innerpage/login.html';
const LOGOUT = '/api/user/logout';
const DASHBOARD = '/innerpage/dashboard.html';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const menu = (page: Page) => page.getByRole('navigation');

/** The token with which that user's pages are framed. */
async function frameToken(page: Page): Promise<string> {
  const answer = await page.request.post('/api/user/frametoken', { headers: { origin: site.tap.address } });
  return ((await answer.json()) as { data: { sid: string } }).data.sid;
}

async function isSignedIn(page: Page): Promise<boolean> {
  return ((await (await page.request.get(STATUS_PATH)).json()) as { data: { login: boolean } }).data.login;
}

/** From the name to the button by keyboard; the password is shown on the way. */
async function signInByKeyboard(page: Page, username: string): Promise<void> {
  await focusOn(page.getByLabel('Username'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('Enter');
}

describe('who is not signed in', () => {
  test('S-2.1.17, S-4.1 is sent to the sign-in page, refused there with a wrong password, and comes back by keyboard to the page asked for; A-29, S-2.3.5, S-2.3.6 with nontop all the way; X-10 without the token of somebody else; the end of a session elsewhere is noticed', async () => {
    answerFrames(site.tap);
    const sid = await frameToken(await newPage(site, { user: 'operator' }));
    // By its name a browser is told from one whose last request is still on its way.
    const userAgent = 'sign-in test';
    const allowed = [{ url: /\/api\/user\/login$/, status: 401 }];
    const page = await newPage(site, { userAgent, allowed });
    await page.goto(`/dashboard?nontop=1&sid=${sid}`);
    await page.waitForURL(isSignInPage);
    expect(page.url()).not.toContain('sid');

    await page.getByLabel('Username').fill('viewer');
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refusal = (await textsOf(page, 'en', 'Errors'))['bad-credentials'] ?? '';
    await page.getByRole('alert').getByText(refusal).waitFor();
    await signInByKeyboard(page, 'viewer');
    await page.waitForURL((url) => url.pathname === '/dashboard');
    expect(new URL(page.url()).search).toBe('?nontop=1');
    await menu(page).getByText('viewer').waitFor();
    await expect.poll(() => page.locator('iframe').getAttribute('src')).toBe(`${DASHBOARD}?nontop=1`);
    const own = site.tap.requests().filter((call) => call.headers['user-agent'] === userAgent);
    const withToken = own.filter((call) => 'connect-sid' in call.headers);
    expect(withToken.length).toBeGreaterThan(0);
    expect(withToken.filter(({ headers }) => headers['page-framed'] !== '0')).toEqual([]);

    await menu(page).getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('main').getByRole('link').first().waitFor();
    await expect.poll(() => page.getByRole('banner').count()).toBe(0);
    await expectMainPadding(page, false);
    await menu(page).getByRole('link', { name: 'GPS Playback' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?nontop=1');

    // Looked at from before the end on: its live updates notice it too, and a page on its way elsewhere runs nothing for a test.
    await page.evaluate(() => void setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 100));
    await page.request.get(LOGOUT, { headers: { 'sec-fetch-site': 'same-origin' } });
    await page.waitForURL(isSignInPage);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('return'), searchParams.get('nontop')]).toEqual(['/gpsplayback?nontop=1', '1']);
  });
});

describe('leaving', () => {
  test('S-2.1.4, S-4.2, S-7.3 Logout ends the session and leads to plain sign-in, also when the pages notice meanwhile that it is over; S-8.12 a gateway out of reach before changed nothing', async () => {
    // The page in the frame may ask for something between the end of the session and the way to sign-in.
    const allowed = (['failed', 401] as const).map((status) => ({ url: /\/api\//, status }));
    const page = await newPage(site, { user: 'viewer', ownSession: true, allowed });
    await openShell(page, '/dashboard');
    await page.frameLocator('iframe').getByRole('main').waitFor();
    const before = site.tap.requests({ path: STATUS_PATH }).length;
    const again = site.tap.when({ path: /^\/api\// }, { kind: 'cut' });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await waitFor('two questions', () => site.tap.requests({ path: STATUS_PATH }).length >= before + 2);
    await expect.poll(() => menu(page).count()).toBe(1);
    again();

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
    expect(await isSignedIn(page)).toBe(false);
  });

  test('S-7.3 an image on a page of another site signs nobody out', async () => {
    const page = await newPage(site, { user: 'viewer', ownSession: true });
    // What the browser complains of there is no fault of ours.
    const other = await page.context().newPage();
    await other.goto(site.other.showing(`<img alt="" src="${site.tap.address}${LOGOUT}">`));
    await waitFor('the call', () => site.tap.requests({ path: LOGOUT }).length >= 1);
    expect(await isSignedIn(page)).toBe(true);
  });
});

describe('the frame token', () => {
  // What is no token, and what becomes of the address: test/unit/shared/api/pageFlags.test.ts, test/dom/api/sidInAddress.test.ts.
  test('S-5.1, S-7.15, X-10, N-5 opens the shell in a page of another site whose cookies are blocked, and its frames, too; it goes on every call, and out of the address', async () => {
    const page = await newPage(site, { user: 'operator' });
    const origin = site.tap.address;
    const sid = await frameToken(page);
    site.tap.reset();

    // `localhost` is another site than 127.0.0.1: a SameSite=Lax cookie is not sent in its frames.
    await page.goto(site.other.framing(`${origin}/?sid=${sid}`));
    const shell = page.frameLocator('iframe');
    await shell.getByRole('navigation').getByText('operator').waitFor();
    await shell.getByRole('navigation').getByRole('link', { name: 'Report' }).click();
    await shell.locator(`iframe[src="/innerpage/report.html?sid=${sid}"]`).waitFor();
    await shell.frameLocator('iframe').getByRole('main').waitFor();
    const isOfPages = ({ path }: TapRequest) => /^\/(api|locales)\//.test(path);
    const calls = site.tap.requests().filter(isOfPages);
    expect(calls.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
    // A browser's WebSocket has no headers of the page's: the line of live updates says the token in its first message.
    const requests = calls.filter(({ kind }) => kind !== 'upgrade');
    const isOfToken = ({ headers }: TapRequest) => headers['connect-sid'] === sid && headers['page-framed'] === '1';
    expect(requests.filter((request) => !isOfToken(request))).toEqual([]);
    const framed = page.frames().find((frame) => frame.url().startsWith(origin) && !frame.url().includes('innerpage'));
    expect(framed?.url()).toBe(`${origin}/report`);
  });
});

describe('ones own password', () => {
  // What the dialog says of each answer: test/dom/shell/shell.test.tsx.
  test('is changed from the menu; the old one then opens nothing', async () => {
    const allowed = [{ url: /\/api\/user\/login$/, status: 401 }];
    const page = await newPage(site, { user: 'changer', ownSession: true, allowed });
    await openShell(page);
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByLabel('New password', { exact: true }).fill('battery staple');
    await dialog.getByLabel('Repeat new password').fill('battery staple');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // Or why it was not.
    const said = page.getByText('Password changed.').or(dialog.getByRole('alert')).first();
    await expect.poll(() => said.innerText()).toBe('Password changed.');
    await expect.poll(() => menu(page).count()).toBe(1);
    await expect(signIn(page.context(), site.tap.address, 'changer')).rejects.toThrow('401');
  });
});
