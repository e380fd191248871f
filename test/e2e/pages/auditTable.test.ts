// A long table: pages by cursors beyond what is counted, from a day on, and its file. The built gateway and pages.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../support/browser/looks.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const ENTRIES = 10_120;
const HOUR_MS = 3_600_000;
/** The oldest entry; each of the others is an hour younger. */
const FIRST_MS = Date.UTC(2025, 0, 1);

let product: Product;
let browser: Browser;
let people: People;

beforeAll(async () => {
  product = await startProduct(fill);
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const user = { username: 'manager', passwordHash, permissions: ALL_PERMISSIONS };
  await stores.users.insert(user, wallMs(FIRST_MS));
  for (let at = 0; at < ENTRIES; at++) {
    const entry = { actor: 'mei', action: 'device.change', target: `BUS${at}` } as const;
    await stores.audit.add(entry, wallMs(FIRST_MS + at * HOUR_MS));
  }
}

async function openTable(options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage('manager', { fresh: true, ...options });
  await page.goto('/innerpage/membership.html#audit');
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.locator('.MuiDataGrid-row');
const foot = (page: Page) => page.locator('.MuiTablePagination-displayedRows');
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** The first row's target, once it is that of the page. */
async function begins(page: Page, first: RegExp): Promise<void> {
  const target = page.locator('.MuiDataGrid-cell[data-field="target"], .MuiDataGrid-cell[data-field="__card"]').first();
  await waitFor(
    `the page that begins with ${first}`,
    () => target.textContent(),
    (text) => first.test(text ?? ''),
  );
}

async function jump(page: Page, digits: string): Promise<void> {
  await page.getByRole('group', { name: 'Jump to date' }).getByRole('spinbutton', { name: 'Year' }).click();
  await page.keyboard.type(digits);
}

describe('a long table', () => {
  it('goes on by cursors in a list that is not counted to its end, and back', async () => {
    const page = await openTable();
    await page.getByRole('columnheader', { name: 'Time' }).click();
    await page.getByLabel('Rows per page').click();
    await page.getByRole('option', { name: '100' }).click();
    // The shorter page before it begins with the same row.
    await page.locator('[aria-busy=false]:has([role=grid])').waitFor();
    await begins(page, /BUS0$/);
    await expect.poll(() => foot(page).textContent()).toBe('1–100 of more than 10,000');
    for (const at of [1, 2, 3]) {
      const asked = page.waitForRequest(/\/api\/audit\/entries\?.*after=/);
      await press(page, 'Go to next page');
      await asked;
      await begins(page, new RegExp(`BUS${at * 100}$`));
    }
    await expect.poll(() => foot(page).textContent()).toBe('301–400 of more than 10,000');
    await press(page, 'Go to previous page');
    await begins(page, /BUS200$/);
    await press(page, 'Go to first page');
    await begins(page, /BUS0$/);
  });

  it.each([{ width: 1280 }, { width: 360 }])('is shown from a day on, $width px wide', async ({ width }) => {
    const page = await openTable({ width });
    await jump(page, '20250103');
    // Newest first: the last hour of the day in Taipei.
    await begins(page, /BUS63(?!\d)/);
    await expect.poll(() => foot(page).textContent()).toBe('From 2025-01-03');
    await press(page, 'Go to next page');
    await begins(page, /BUS13(?!\d)/);
    await press(page, 'Go to previous page');
    await begins(page, /BUS63(?!\d)/);
    await press(page, 'Go to previous page');
    await begins(page, /BUS113(?!\d)/);
    // What the pointer shows of the button that it is on.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await expectAccessible(page, `from a day on, ${width}`);
    await atBothWidths(page, () => expectFits(page, 'from a day on'));
    await page.getByRole('group', { name: 'Jump to date' }).hover();
    await press(page, 'Clear');
    await waitFor(
      'the first page',
      () => foot(page).textContent(),
      (text) => text === '1–50 of more than 10,000',
    );
  });

  it('says that there is nothing from a day on, and goes back', async () => {
    const page = await openTable();
    await jump(page, '20240101');
    await page.getByText('No results from this date. Select another date.').waitFor();
    await press(page, 'Clear date');
    await rows(page).first().waitFor();
  });

  it('is downloaded whole by the browser itself', async () => {
    const page = await openTable();
    const download = page.waitForEvent('download');
    await press(page, 'Export CSV');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit.*\.csv$/);
    const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString('utf8');
    // What the gateway has written of this sign-in and export comes on top.
    expect(text.trim().split('\r\n').length).toBeGreaterThan(ENTRIES);
  });

  it('says why it cannot be downloaded', async () => {
    const page = await openTable({ allowed: [{ url: /\/api\/download\//, status: 429 }] });
    await page.route('**/api/download/*', (route) =>
      route.fulfill({ status: 429, json: { error: true, code: 'too-many-downloads', message: 'Too many exports.' } }),
    );
    await press(page, 'Export CSV');
    await page.getByRole('alert').getByText('Too many exports').waitFor();
  });
});
