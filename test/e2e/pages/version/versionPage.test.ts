// The page Version as administrators see it: the built gateway and pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFocus, tabTo } from '../../../support/browser/keyboard.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { waitFor } from '../../../support/waitFor.ts';

const VERSION = '/innerpage/version.html';

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addChief, { WEB_TITLE: 'Northern Fleet' });
});
afterAll(() => site?.close());

async function openPage(query = ''): Promise<Page> {
  const page = await site.people.openPage('chief');
  await page.goto(VERSION + query);
  return page;
}

describe('the page Version (S-1.2, S-2.4.16)', () => {
  it('says that what is running is well, with the ports that it really listens on', async () => {
    const page = await openPage('?tab=health');
    const ports = page.getByRole('region', { name: 'Ports' });
    await ports.getByText(`Port: ${new URL(site.product.address).port}`, { exact: true }).waitFor();
    await ports.getByText('OK', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Tables' })
      .getByRole('button', { name: /^Show all/ })
      .click();
    await page.getByRole('region', { name: 'Tables' }).getByText('app_user', { exact: true }).waitFor();
  });

  it('says what runs, and since when', async () => {
    const page = await openPage();
    const product = page.getByRole('region', { name: 'Product' });
    await product.getByText(/^[0-9a-f]{12} · \d{4}-\d\d-\d\d/).waitFor();
    await product.getByText(/^SQLite \d/).waitFor();
    const server = page.getByRole('region', { name: 'Server', exact: true });
    await server.getByText(process.version, { exact: true }).waitFor();
    await server.getByText(/same as this browser$/).waitFor();
    await page.getByText(/\(this server\)/).waitFor();
    await page.getByText(/^-----BEGIN PUBLIC KEY-----/).waitFor();
    await page.getByRole('region', { name: "What's new" }).getByRole('heading', { name: 'Added' }).first().waitFor();
  });

  it('lists what was bundled with its licenses', async () => {
    const page = await openPage();
    await page.getByRole('tab', { name: 'Third-party notices' }).click();
    await page.getByRole('searchbox', { name: 'Name or license' }).fill('mediabunny');
    await page.getByRole('button', { name: /^mediabunny / }).click();
    await page
      .getByRole('dialog')
      .getByText(/Mozilla Public License/)
      .first()
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.goBack();
    await page.getByRole('region', { name: 'Product' }).waitFor();
  });
});

const titleIs = (page: Page, title: string) =>
  waitFor(
    `the title ${title}`,
    () => page.getByRole('banner').innerText(),
    (text) => text.includes(title),
  );

it('S-2.4.16 a setting is changed, saved and reset by keyboard alone', async () => {
  const page = await openPage();
  await page.getByRole('region', { name: 'Product' }).waitFor();
  await tabTo(page, page.getByRole('tab', { name: 'What runs' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await hasFocus(page.getByRole('tab', { name: 'Settings' }))).toBe(true);
  await page.keyboard.press('Enter');

  const title = page.getByRole('textbox', { name: 'Title' });
  await title.waitFor();
  await tabTo(page, title);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Depot by keyboard');
  const layout = page.getByRole('combobox', { name: 'Live view of 7 or 8 channels' });
  await tabTo(page, layout);
  await page.keyboard.press('T');
  await expect.poll(() => layout.inputValue()).toBe('3x3');
  const save = page.getByRole('button', { name: 'Save' });
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await page.getByText('Settings saved.').first().waitFor();
  await titleIs(page, 'Depot by keyboard');

  for (const name of ['Title', 'Live view of 7 or 8 channels']) {
    await tabTo(page, page.getByRole('button', { name: `Reset ${name} to preset` }));
    await page.keyboard.press('Enter');
  }
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await titleIs(page, 'Northern Fleet');
});
