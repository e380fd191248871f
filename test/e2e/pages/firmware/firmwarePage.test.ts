// Device Firmware in Chromium: who reaches it, how it stands in the shell, and how it looks. The calls are answered by the test.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { answerFirmware } from '../../../support/firmware/firmwareAnswers.ts';
import { type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

const PAGE = '/innerpage/firmware.html';
const ROW = '[role=row][data-id]';
const USERS = {
  updater: ['fwupdate'],
  limited: ALL_PERMISSIONS.filter((permission) => permission !== 'fwupdate'),
} as const;

let product: Product;
let people: People;
beforeAll(async () => {
  product = await startProduct(addPeople);
  people = peopleAt(await sharedChromium(), product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function addPeople({ users }: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  for (const [username, permissions] of Object.entries(USERS)) {
    await users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
  }
}

async function openPage(username: keyof typeof USERS, address = PAGE, options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(username, options);
  await answerFirmware(page);
  await page.goto(address);
  return page;
}

describe('S-2.4.7, S-6.2 Device Firmware', () => {
  const name = 'Device Firmware';
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test('is not there for who has all permissions but its own', async () => {
    const page = await openPage('limited', '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(PAGE);
    await page.getByText("You don't have permission for this page.").waitFor();
  });

  test('S-1.1, S-1.2, S-2.1.11, S-2.1.12 is framed for who has it, as large as the window', async () => {
    const page = await openPage('updater', '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'New task' }).waitFor();
    await expectFramed(page, PAGE);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await openPage('updater', PAGE + query);
      await page.getByRole('button', { name: 'New task' }).waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });
});

test('a task is found and its device restarted by keyboard alone', async () => {
  const page = await openPage('updater');
  await page.locator(ROW).first().waitFor();
  await page.getByRole('button', { name: 'Open Autumn update' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Autumn update' }).waitFor();
  const row = page.locator(ROW).filter({ hasText: /^Bus 1 \(/ });
  await row.getByRole('button', { name: 'more' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Restart Bus 1' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Restart Bus 1?' });
  await dialog.waitFor();
  await dialog.getByText('Enter ABC-1234 to confirm.').waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.getByRole('button', { name: 'New task' }).waitFor();
});

const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

describe.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', (...look) => {
  const [locale, width, colorScheme] = look;
  const open = (query: string) => openPage('updater', PAGE + query, { locale, width, colorScheme });

  test('each tab and one task', async () => {
    const page = await open('');
    await page.locator(ROW).first().waitFor();
    await lookAt(page, 'the tasks', locale);
    for (const query of ['?tab=images', '?tab=models', '?tab=versions', '?task=7', '?task=8', '?task=9']) {
      await page.goto(PAGE + query);
      await page.locator(ROW).first().waitFor();
      if (query === '?tab=versions') await page.locator('.MuiChartsSurface-root').waitFor();
      await lookAt(page, query, locale);
    }
  });

  test('its dialogs', async () => {
    const page = await open('');
    const openDialog = async (query: string, selector: string) => {
      await page.goto(PAGE + query);
      await page.locator(ROW).first().waitFor();
      await page.locator(selector).first().click();
      await page.locator('[role=dialog], [role=alertdialog]').waitFor();
    };
    // The button of the toolbar that adds one.
    const add = '#tab-content .MuiButton-contained';
    for (const query of ['', '?tab=images', '?tab=models']) {
      await openDialog(query, add);
      await lookAt(page, `the form of ${query}`, locale, '[role=dialog]');
    }
    await openDialog('?task=7', 'main .MuiButton-contained');
    await lookAt(page, 'the question before an act', locale, '[role=alertdialog]');
    await openDialog('?task=7', `${ROW} button`);
    await lookAt(page, 'the log', locale, '[role=dialog]');
  });
});

/** `part`: a dialog, beside which the page was looked at before. */
async function lookAt(page: Page, what: string, locale: (typeof LOOKS)[number][0], part?: string): Promise<void> {
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what, part);
    await expectFits(page, what);
    expectWords(await page.locator('body').innerText(), locale);
  });
}
