// The page of event types on the real gateway: what administrators define, each other's edits, and what they see of it. How it looks
// is tested with all pages.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { searchTable } from '../../../support/browser/searchTable.ts';
import { heardBy, sounding, spyOnSound } from '../../../support/browser/soundSpy.ts';
import { type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { waitFor } from '../../../support/waitFor.ts';

const PAGE = '/innerpage/eventdefine.html';
const USERS = {
  chief: ALL_PERMISSIONS,
  deputy: ALL_PERMISSIONS,
} as const;

let product: Product;
let browser: Browser;
let people: People;
beforeAll(async () => {
  product = await startProduct(addPeople);
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
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
  await page.goto(address);
  return page;
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'more' }).click();
  await page.getByRole('menuitem', { name: `${action} ${name}` }).click();
}

describe('a built-in type', () => {
  test('is renamed, which a page in another language follows at once, and reset', async () => {
    const page = await openPage('chief');
    const abroad = await openPage('deputy', PAGE, { locale: 'zh-TW', fresh: true });
    await searchTable(page, 'Vehicle theft');
    await searchTable(abroad, 'Vehicle theft');
    await rowOf(abroad, '車輛遭竊').waitFor();

    await page.getByRole('button', { name: 'Edit Vehicle theft' }).click();
    const form = page.getByRole('dialog', { name: 'Event type Vehicle theft' });
    const chinese = form.getByLabel('Name (Chinese)');
    await waitFor(
      'the built-in name',
      () => chinese.getAttribute('placeholder'),
      (text) => text === '車輛遭竊',
    );
    await form.getByLabel('Name (English)').fill('Stolen bus');
    await chinese.fill('公車失竊');
    await form.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'Minor' });
    await form.getByRole('radio', { name: 'Purple' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await searchTable(page, 'Stolen');
    await rowOf(page, 'Stolen bus').getByText('Minor').waitFor();
    await rowOf(abroad, '公車失竊').getByText('輕微').waitFor();

    await choose(page, 'Stolen bus', 'Reset');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Event type reset.').waitFor();
    await rowOf(abroad, '車輛遭竊').getByText('危急').waitFor();
  });
});

describe('a type of one’s own', () => {
  test('is added by the keyboard alone, heard, and deleted', async () => {
    const page = await openPage('chief', PAGE, { fresh: true });
    await spyOnSound(page);
    await page.reload();
    await page.getByRole('button', { name: 'Add event type' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Add event type' });
    await form.getByLabel('Name (English)').waitFor();
    await page.keyboard.type('Ramp lowered');
    await form.getByLabel('Item ID').focus();
    await page.keyboard.type('0xE1');
    await form.getByRole('radio', { name: 'As severity' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => form.getByRole('radio', { name: 'Red' }).isChecked()).toBe(true);
    await form.getByLabel('Sound').selectOption({ label: 'Chime' });
    await form.getByRole('button', { name: 'Play' }).focus();
    await page.keyboard.press('Enter');
    // A chime is short: all that was heard counts, not only the last of it.
    await waitFor('the sound', async () => sounding(await heardBy(page)).length > 0);
    expect(Math.max(...(await heardBy(page)).map(({ peak }) => peak))).toBeLessThan(0.4);
    await form.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Event type saved.').waitFor();
    await searchTable(page, 'Ramp');
    await rowOf(page, 'Ramp lowered').getByText('Custom').waitFor();
    await choose(page, 'Ramp lowered', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No results. Change the search or filters.').waitFor();
  });
});

describe('two administrators', () => {
  test('who change one type are told of one another, and nothing is lost', async () => {
    const allowed = [{ url: /\/api\/eventdefine\/types\//, status: 409 }];
    const [one, two] = [await openPage('chief'), await openPage('deputy', PAGE, { allowed })];
    for (const page of [one, two]) {
      await searchTable(page, 'Robbery');
      await rowOf(page, 'Robbery').getByText('Robbery').click();
    }
    await one.getByRole('dialog').getByLabel('Clip after the event (s)').fill('60');
    await one.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await rowOf(one, '60 s after').waitFor();
    await two.getByRole('dialog').getByLabel('Clip after the event (s)').fill('90');
    await two.getByRole('dialog').getByRole('switch', { name: 'Needs acknowledgment' }).uncheck();
    await two.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const conflict = two.getByRole('dialog', { name: 'Another user changed this' });
    await conflict.getByText('Theirs: 60 (was 20)').click();
    await conflict.getByRole('button', { name: 'Continue' }).click();
    await two.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await rowOf(two, '60 s after').getByText('Not needed').waitFor();
  });
});

describe('a reason', () => {
  test('is added, turned off and deleted', async () => {
    const page = await openPage('chief', `${PAGE}#reasons`);
    await rowOf(page, 'Sensor fault').getByText('False alarm').waitFor();
    await page.getByRole('button', { name: 'Add reason' }).click();
    const form = page.getByRole('dialog', { name: 'Add reason' });
    await form.getByLabel('Name (English)').fill('Wash bay');
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Wash bay').getByText('Closed').waitFor();
    await choose(page, 'Wash bay', 'Turn off');
    await rowOf(page, 'Wash bay').getByText('Off').waitFor();
    await choose(page, 'Wash bay', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Reason deleted.').waitFor();
    await rowOf(page, 'Wash bay').waitFor({ state: 'detached' });
  });
});
