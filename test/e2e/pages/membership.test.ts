// The page of the accounts on the real gateway: from an invitation to a sign-in by two factors, and what nobody may do.
import { Secret, TOTP } from 'otpauth';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { pressOn } from '../../support/browser/keyboard.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { newPage, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const CHOSEN = 'chosen by the operator';
const PAGE = '/innerpage/membership.html';
/** The call by which a page learns that its session has ended, and live updates that are refused for it. */
const SESSION_ENDS: AllowedNoise[] = [{ url: /\/api\//, status: 401 }];

let product: Product;
let browser: Browser;
let people: People;
beforeAll(async () => {
  product = await startProduct(addPeople, { WEB_TITLE: 'Northern Fleet' });
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function addPeople({ users, roles, memberGroups, deviceGroups }: Stores): Promise<void> {
  const now = wallMs(Date.now());
  const passwordHash = await cheapHash(PASSWORD);
  const buses = await deviceGroups.insert('Buses');
  const depot = await memberGroups.insert({ name: 'Keelung Port', retentionDays: 30 });
  await memberGroups.setDeviceGroups(depot, [buses]);
  for (const [username, builtIn] of [
    ['chief', 'administrator'],
    ['manager', 'manager'],
    ['driver', 'operator'],
    ['night', 'operator'],
  ] as const) {
    const { id: role } = await roles.findBuiltIn(builtIn);
    const id = await users.insert({ username, passwordHash, permissions: [], role, memberGroup: depot }, now);
    await memberGroups.setGroupsOfUser(id, [depot]);
  }
}

async function openPage(username: string, address = PAGE): Promise<Page> {
  const page = await people.openPage(username);
  await page.goto(address);
  return page;
}

/** The code that the app on somebody's phone shows, so many steps of half a minute from now. */
const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

describe('an operator', () => {
  test('is invited, chooses a password, sets up a second factor, signs in with it, and is signed out by an administrator', async () => {
    const chief = await openPage('chief');
    await chief.getByRole('button', { name: 'Add member', exact: true }).first().click();
    const form = chief.getByRole('dialog');
    await form.getByLabel('Username').fill('yuting');
    await form.getByLabel('Role').selectOption({ label: 'Operator' });
    await form.getByRole('combobox', { name: 'Member groups' }).click();
    await chief.getByRole('option', { name: 'Keelung Port' }).click();
    await form.getByLabel('Display name').fill('Chen Yu-Ting');
    await form.getByRole('button', { name: 'Add member' }).click();
    const link = await chief.getByRole('textbox', { name: 'Invitation link', exact: true }).inputValue();
    await chief.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await rowOf(chief, 'yuting').getByText('Invited').waitFor();

    const phone = await people.strangersContext();
    const operator = await newPage(phone, { allowed: SESSION_ENDS });
    await operator.goto(link);
    await operator.getByText('Hello Chen Yu-Ting. Your username is yuting.').waitFor();
    await operator.getByLabel('New password', { exact: true }).fill(CHOSEN);
    await operator.getByLabel('Repeat password').fill(CHOSEN);
    await operator.getByRole('button', { name: 'Set password' }).click();
    await operator.getByRole('link', { name: 'Sign in' }).click();
    await signIn(operator, 'yuting', CHOSEN);
    await operator.getByRole('navigation').getByText('yuting').waitFor();

    const again = { data: { token: new URL(link).hash.slice(1) }, headers: { origin: product.address } };
    expect((await phone.request.post('/api/user/invitation', again)).status()).toBe(404);

    await operator.getByRole('link', { name: 'My account' }).click();
    const account = operator.frameLocator('iframe');
    await account.getByRole('button', { name: 'Set up', exact: true }).click();
    await account.getByLabel('Password', { exact: true }).fill(CHOSEN);
    await account.getByRole('button', { name: 'Next' }).click();
    const secret = (await account.getByTestId('secret').innerText()).replaceAll(' ', '');
    await account.getByRole('textbox', { name: 'Verification code' }).fill(appCode(secret));
    await account.getByRole('button', { name: 'Turn on' }).click();
    const kept = account.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await kept.first().waitFor();
    const codes = await kept.allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await account.getByRole('button', { name: "I've saved the codes" }).click();
    await account.getByText('On. Recovery codes left: 10.').waitFor();

    await operator.getByRole('button', { name: 'Logout' }).click();
    await signIn(operator, 'yuting', CHOSEN);
    await operator.getByRole('textbox', { name: 'Verification code' }).fill('000000');
    await operator.getByRole('button', { name: 'Sign in' }).click();
    await operator.getByRole('alert').waitFor();
    // The first code is spent: the app shows the next one.
    await operator.getByRole('textbox', { name: 'Verification code' }).fill(appCode(secret, 1));
    await operator.getByRole('button', { name: 'Sign in' }).click();
    await operator.getByRole('navigation').getByText('yuting').waitFor();

    // Set going before: the page notices the end by its socket too, and one that is on its way elsewhere runs nothing for a test.
    await operator.evaluate(() => void setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 500));
    await tab(chief, 'Sessions').click();
    await rowOf(chief, 'yuting')
      .getByRole('button', { name: /End the session of yuting/ })
      .click();
    await chief.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
    // While a dialog is open no row has a role: what is behind it is hidden.
    await chief.getByRole('alertdialog').waitFor({ state: 'detached' });
    await rowOf(chief, 'chief').first().waitFor();
    await waitFor(
      'the session to be gone',
      async () => rowOf(chief, 'yuting').count(),
      (count) => count === 0,
    );
    const status = (await (await phone.request.get('/api/user/status')).json()) as { data: { login: boolean } };
    expect(status.data.login).toBe(false);
    await operator.waitForURL((url) => url.pathname === '/innerpage/login.html');

    await tab(chief, 'Audit log').click();
    await rowOf(chief, 'Two-factor authentication set up').first().waitFor();
  }, 120_000);
});

describe('nobody raises themselves', () => {
  test('a manager sees the administrator and cannot touch the account, nor the own role and groups', async () => {
    const page = await openPage('manager');
    await rowOf(page, 'chief').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Edit chief' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Edit manager' }).click();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByLabel('Role').isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit driver' }).click();
    await form.getByLabel('Role').waitFor();
    const offered = await form.getByLabel('Role').locator('option').allInnerTexts();
    expect(offered).toContain('Manager');
    expect(offered).not.toContain('Administrator');
    await expect.poll(() => tab(page, 'Audit log').count()).toBe(0);

    const headers = { origin: product.address };
    const list = (await (await page.request.get('/api/membership/members')).json()) as { data: { rows: Known[] } };
    const self = list.data.rows.find(({ username }) => username === 'manager');
    const choices = await page.request.get('/api/membership/choices');
    const { roles } = ((await choices.json()) as { data: { roles: { id: number; builtIn: string }[] } }).data;
    const role = roles.find(({ builtIn }) => builtIn === 'administrator')?.id;
    const { version, displayName, groups, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed } =
      self ?? ({} as Known);
    const data = { version, displayName, groups, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed, role };
    const raised = await page.request.put(`/api/membership/members/${self?.id}`, { data, headers });
    expect([raised.status(), ((await raised.json()) as { data: unknown }).data]).toEqual([
      422,
      { fields: { role: 'own-account' } },
    ]);
  });
});

interface Known {
  readonly [name: string]: unknown;
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly serialno: number;
}

describe('an administrator', () => {
  test('makes a member group, and copies a role, whose people have them', async () => {
    const page = await openPage('chief', `${PAGE}#groups`);
    await addGroup(page);
    await tab(page, 'Roles').click();
    await copyRole(page);

    const { request } = await people.contextOf('night');
    const groups = (await (await request.get('/api/system/membergroup')).json()) as { data: Known[] };
    const membergroup = groups.data.find(({ name }) => name === 'Night depot')?.serialno;
    const headers = { origin: product.address };
    const chosen = await request.put('/api/system/member', { data: { self: true, membergroup }, headers });
    expect(chosen.ok()).toBe(true);
    const { data } = (await (await request.get('/api/user/status')).json()) as { data: NightStatus };
    // What the foot of the shell shows.
    expect(data).toMatchObject({ retentiondays: 14, expirydate: END_SECONDS });
    expect(data.permission).toContain('link');
    expect(data.permission).not.toContain('export');
  });

  async function addGroup(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add member group' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add member group' });
    await form.getByLabel('Name').fill('Night depot');
    await form.getByRole('combobox', { name: 'Device groups' }).click();
    await page.getByRole('option', { name: 'Buses' }).click();
    await form.getByLabel('Recording retention (days)').fill('14');
    await form.getByRole('spinbutton', { name: 'Year' }).click();
    await page.keyboard.type('203001020304');
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Night depot').getByText('2030-01-02 03:04:00').waitFor();
    await rowOf(page, 'Night depot').getByRole('button', { name: 'Members of Night depot' }).click();
    const persons = page.getByRole('dialog', { name: 'Members of Night depot' });
    await persons.getByText('No members in this group yet. Add one below.').waitFor();
    await persons.getByRole('combobox', { name: 'Member to add' }).fill('night');
    // Until the list is of what was typed, its options move.
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.getByRole('option', { name: 'night' }).click();
    await persons.getByRole('button', { name: 'Add', exact: true }).click();
    await rowOf(page, 'night').getByRole('button', { name: 'Remove night from the group' }).waitFor();
    // The button that was pressed is disabled, and has lost the focus.
    await pressOn(persons, 'Escape');
    await persons.waitFor({ state: 'detached' });
  }

  async function copyRole(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Copy Operator' }).click();
    const form = page.getByRole('dialog', { name: 'Add role' });
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Copy of Operator');
    await form.getByLabel('Name').fill('Night watch');
    await form.getByRole('checkbox', { name: 'Recording export' }).uncheck();
    await form.getByRole('checkbox', { name: 'Share links' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const roles = page.getByRole('list', { name: 'Roles' }).getByRole('listitem');
    await roles.filter({ hasText: 'Night watch' }).getByText('Members: 0').waitFor();
    await tab(page, 'Members').click();
    await page.getByRole('button', { name: 'Edit night' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption({ label: 'Night watch' });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'night').getByText('Night watch').waitFor();
  }
});

interface NightStatus {
  readonly permission: readonly string[];
  readonly retentiondays: number;
  readonly expirydate: number;
}

/** 2030-01-02 03:04:00 in Taipei. */
const END_SECONDS = Date.UTC(2030, 0, 1, 19, 4) / 1_000;
