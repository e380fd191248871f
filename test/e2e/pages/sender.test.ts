// Sender Setting on the real gateway: a sender is set up, tried against a service of the test's own, and deleted.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { SENDERS_PATH } from '../../../shared/protocol/api/notify/senders.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { expectFramed, expectFrameFills } from '../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../support/browser/looks.ts';
import { expectMainPadding } from '../../support/browser/paddings.ts';
import { expectWords } from '../../support/browser/words.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD, textsOf } from '../../support/gateway/site.ts';

const PAGE = '/innerpage/sender.html';
const USERS = {
  chief: ALL_PERMISSIONS,
  both: ['system', 'sender'],
  sender: ['sender'],
  clerk: ['system'],
} as const;

let product: Product;
let people: People;
let service: Server;
const posted: string[] = [];
beforeAll(async () => {
  product = await startProduct(addPeople, { NOTIFY_NETWORKS: '127.0.0.0/8' });
  people = peopleAt(await sharedChromium(), product.address);
  service = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => posted.push(text));
    request.on('end', () => response.end('noted'));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
  service?.close();
});

async function addPeople({ users }: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  for (const [username, permissions] of Object.entries(USERS)) {
    await users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
  }
}

async function openPage(username: keyof typeof USERS, address = PAGE, options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(username, options);
  await page.goto(address);
  return page;
}

const serviceAddress = () => `http://127.0.0.1:${(service.address() as AddressInfo).port}/hook`;

describe('S-2.4.17, S-6.2 Sender Setting', () => {
  const name = 'Sender Setting';
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test.each(['sender', 'clerk'] as const)('is not there for who has only one of the permissions: %s', async (who) => {
    const page = await openPage(who, '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(PAGE);
    await page.getByText("You don't have permission for this page.").waitFor();
    expect((await page.request.get(SENDERS_PATH)).status()).toBe(403);
  });

  test('S-1.2, S-2.1.11, S-2.1.12 is framed for who has both, as large as the window', async () => {
    const page = await openPage('both', '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Add sender' }).first().waitFor();
    await expectFramed(page, PAGE);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await openPage('chief', PAGE + query);
      await page.getByRole('button', { name: 'Add sender' }).first().waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });
});

const fieldOf = (form: Locator, label: string): Locator => form.getByRole('textbox', { name: label, exact: true });

test('a sender is tried before it is saved, keeps its secret, and is deleted', async () => {
  const page = await openPage('chief', PAGE, { allowed: [{ url: /\/api\/sender\//, status: 422 }] });
  await page.getByRole('button', { name: 'Add sender' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add sender' });
  await fieldOf(form, 'Name').fill('Dispatch hook');
  await form.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Webhook' });
  await fieldOf(form, 'URL').fill('http://user:pass@127.0.0.1/');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText("This value isn't allowed here.").waitFor();
  await fieldOf(form, 'URL').fill(serviceAddress());
  await form.getByLabel('Signing secret').fill('of the hook');
  await form.getByRole('button', { name: 'Send test' }).click();
  await form.getByText(/^Test message sent in \d+ ms\.$/).waitFor();
  expect(posted).toHaveLength(1);
  const talk = form.getByRole('region', { name: 'Conversation' });
  expect(await talk.innerText()).toContain('HTTP 200 OK: noted');
  expect(await talk.innerText()).not.toContain('of the hook');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sender saved.').waitFor();

  const row = page.getByRole('row').filter({ hasText: 'Dispatch hook' });
  await row.getByRole('button', { name: 'Edit Dispatch hook' }).click();
  const edited = page.getByRole('dialog', { name: 'Sender Dispatch hook' });
  await edited.getByText('Stored. Leave empty to keep it.').waitFor();
  expect(await edited.getByLabel('Signing secret').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'more' }).click();
  await page.getByRole('menuitem', { name: 'Delete Dispatch hook' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Sender deleted.').waitFor();
  await row.waitFor({ state: 'detached' });
});

describe('the page of senders', () => {
  test.each([
    ['en', 360, 'light'],
    ['zh-TW', 1280, 'dark'],
    ['jp', 360, 'dark'],
  ] as const)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await openPage('chief', PAGE, { locale, width, colorScheme });
    const texts = await textsOf(page, locale, 'Sender');
    const t = (key: string): string => texts[key] ?? expect.fail(`no text for ${key}`);
    await page
      .getByRole('button', { name: t('Add sender') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    // What is said of the name when it is left moves the rest of the form: it must not move under a click.
    await dialog.locator('input[name=name]').press('Tab');
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    for (const kind of ['email', 'webhook', 'sms', 'syslog', 'push']) {
      await dialog.getByRole('combobox', { name: t('Kind') }).selectOption(kind);
      if (kind === 'webhook') await dialog.getByRole('button', { name: t('Add header') }).click();
      await dialog.getByRole('button', { name: t('Send test') }).click();
      await dialog.getByRole('alert').first().waitFor();
      await atBothWidths(page, async (isOther) => {
        if (!isOther) await expectAccessible(page, kind, '[role=dialog]');
        await expectFits(page, kind);
        expectWords(await dialog.innerText(), locale);
      });
    }
  });
});
