// How Device Firmware looks in Chromium, and that it is used by keyboard. The calls are answered by the test.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { answerFirmware } from '../../../support/firmware/firmwareAnswers.ts';
import { type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

const PAGE = '/innerpage/firmware.html';
const ROW = '[role=row][data-id]';
const USERNAME = 'updater';

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
  await users.insert({ username: USERNAME, passwordHash, permissions: ['fwupdate'] }, wallMs(Date.now()));
}

async function openPage(address = PAGE, options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(USERNAME, options);
  await answerFirmware(page);
  await page.goto(address);
  return page;
}

test('a task is found and its device restarted by keyboard alone', async () => {
  const page = await openPage();
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

test("a version's devices are found and one of them restarted by keyboard alone, and Back leads to all versions", async () => {
  const page = await openPage(`${PAGE}?tab=versions`);
  await page.locator(ROW).first().waitFor();
  await page.getByRole('button', { name: 'Show devices with V2.4' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Devices with ACME MDVR-8CH V2.4' }).waitFor();
  await page.getByRole('button', { name: 'more' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Restart Bus 1' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Restart Bus 1?' });
  await dialog.getByText('Enter ABC-1234 to confirm.').waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.locator('.MuiChartsSurface-root').waitFor();
});

const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

describe.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', (...look) => {
  const [locale, width, colorScheme] = look;
  const open = (query: string) => openPage(PAGE + query, { locale, width, colorScheme });

  test('each tab and one task', async () => {
    const page = await open('');
    await page.locator(ROW).first().waitFor();
    await lookAt(page, 'the tasks', locale);
    const versions = ['?tab=versions', '?tab=versions&model=MDVR-8CH&version=V2.4'];
    for (const query of ['?tab=images', '?tab=models', ...versions, '?task=7', '?task=8', '?task=9']) {
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
