// The built product with users and groups in it, the proxy before it and a browser: what the shell's tests run on.

import { rmSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { consoleGuard, sharedChromium } from '../browser/chromium.ts';
import type { AllowedNoise } from '../browser/consoleNoise.ts';
import { startTap, type Tap } from '../browser/tap.ts';
import { cheapHash } from '../fakes/cheapHash.ts';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { type OtherSite, startOtherSite } from './otherSite.ts';
import { type Product, startProduct } from './product.ts';

export const PASSWORD = 'correct horse';
/** Kinds of user: one with everything, one who only looks, an operator with two groups, one whose password a test changes. */
const USERS = {
  chief: ALL_PERMISSIONS,
  viewer: [],
  changer: [],
  operator: ['event', 'report', 'membergroup'],
} as const satisfies Record<string, readonly string[]>;
type UserName = keyof typeof USERS;
export const GROUP_NAMES = ['Keelung Port', 'Taoyuan Depot'] as const;

/** Frames of pages that are not there yet; the gateway answers with a notice and the browser notes the 404. */
const MISSING_PAGES: AllowedNoise = { url: /\/innerpage\/(?!login|topbar)/, status: 404 };

export interface Site {
  readonly product: Product;
  readonly tap: Tap;
  readonly browser: Browser;
  /** The cookies of a session that the tests of a file share. */
  sessionOf(user: UserName): Promise<SessionCookies>;
  /** The one other site that may frame the shell. */
  readonly other: OtherSite;
}

type SessionCookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function startSite(): Promise<Site> {
  const other = await startOtherSite();
  const product = await startProduct(addUsers, { WEB_TITLE: 'Northern Fleet', FRAME_ANCESTORS: other.address });
  const tap = await startTap(product.address);
  const browser = await sharedChromium();
  const sessions = new Map<UserName, Promise<SessionCookies>>();
  const sessionOf = (user: UserName): Promise<SessionCookies> => {
    const known = sessions.get(user) ?? openSession(tap.address, user);
    sessions.set(user, known);
    return known;
  };
  return { product, tap, browser, sessionOf, other };
}

let shared: Promise<Site> | undefined;

/**
 * The one site of this worker: nobody closes it, its proxy has no rules, and what the tests of one file leave in its database
 * those of the next one find.
 */
export async function sharedSite(): Promise<Site> {
  shared ??= startShared();
  const site = await shared;
  site.tap.reset();
  return { ...site, browser: await sharedChromium() };
}

async function startShared(): Promise<Site> {
  const site = await startSite();
  atWorkerEnd(() => {
    process.kill(site.product.processId(), 'SIGKILL');
    rmSync(site.product.dataDir, { recursive: true, force: true });
  });
  return site;
}

async function openSession(address: string, user: UserName): Promise<SessionCookies> {
  const context = await (await sharedChromium()).newContext();
  await signIn(context, address, user);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function addUsers(stores: Stores): Promise<void> {
  const now = wallMs(Date.now());
  const passwordHash = await cheapHash(PASSWORD);
  const groups: number[] = [];
  for (const name of GROUP_NAMES) groups.push(await stores.memberGroups.insert({ name, retentionDays: 30 }));
  for (const [username, permissions] of Object.entries(USERS)) {
    const id = await stores.users.insert({ username, passwordHash, permissions, memberGroup: groups[1] }, now);
    await stores.memberGroups.setGroupsOfUser(id, groups);
  }
}

export interface PageOptions extends BrowserContextOptions {
  /** Who is signed in before the page opens. */
  readonly user?: UserName;
  /** For a test that ends the session: one that no other test uses. */
  readonly ownSession?: boolean;
  /** What the browser may complain of besides pages that are not there yet. */
  readonly allowed?: readonly AllowedNoise[];
}

/** A page in a context of its own, closed when the test has finished. */
export async function newPage(
  site: Site,
  { user, ownSession = false, allowed = [], ...options }: PageOptions = {},
): Promise<Page> {
  const context = await site.browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    baseURL: site.tap.address,
    ...options,
  });
  onTestFinished(() => context.close());
  if (user !== undefined && ownSession) await signIn(context, site.tap.address, user);
  if (user !== undefined && !ownSession) await context.addCookies(await site.sessionOf(user));
  const page = await context.newPage();
  consoleGuard(page, [MISSING_PAGES, ...allowed]);
  return page;
}

export async function signIn(context: BrowserContext, address: string, username: string): Promise<void> {
  const response = await context.request.post(`${address}/api/user/login`, {
    data: { username, password: PASSWORD },
    headers: { origin: address },
  });
  if (!response.ok()) throw new Error(`sign-in of ${username}: ${response.status()} ${await response.text()}`);
}

/** Opens an address and waits until the shell's menu is there. */
export async function openShell(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Logout' }).or(page.locator('button[aria-expanded]')).first().waitFor();
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Page</title><main></main></html>';

/** The proxy answers with an empty page in the place of each page that the shell frames: loading one costs as much as the shell. */
export function answerFrames(tap: Tap, path: string | RegExp = /^\/innerpage\/(?!login|topbar)\w+\.html$/): () => void {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return tap.when({ path }, { kind: 'answer', headers, body: EMPTY_PAGE });
}

/** The texts of a namespace as the gateway serves them. */
export async function textsOf(page: Page, locale: string, namespace: string): Promise<Record<string, string>> {
  const response = await page.request.get(`/locales/load/${locale}/${namespace}`);
  return (await response.json()) as Record<string, string>;
}

export const isSignInPage = (url: URL): boolean => url.pathname === '/innerpage/login.html';
