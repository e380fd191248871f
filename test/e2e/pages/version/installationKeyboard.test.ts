// What the two pages of the installation are there for, by keyboard alone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasFocus, tabTo } from '../../../support/browser/keyboard.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { waitFor } from '../../../support/waitFor.ts';

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addChief, { WEB_TITLE: 'Northern Fleet' });
});
afterAll(() => site?.close());

async function openPage(path: string): Promise<Page> {
  const page = await site.people.openPage('chief');
  await page.goto(path);
  await page.getByRole('tabpanel').getByRole('button').first().waitFor();
  return page;
}

const titleIs = (page: Page, title: string) =>
  waitFor(
    `the title ${title}`,
    () => page.getByRole('banner').innerText(),
    (text) => text.includes(title),
  );

it('S-2.4.16 a setting is changed on Version, saved and reset', async () => {
  const page = await site.people.openPage('chief');
  await page.goto('/innerpage/version.html');
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
  expect(await layout.inputValue()).toBe('3x3');
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

it('S-2.4.19 a backup is made on System Backup, and the preview of its restore opened and closed', async () => {
  const page = await openPage('/innerpage/sysbackup.html');
  await tabTo(page, page.getByRole('button', { name: 'Back up now' }));
  await page.keyboard.press('Enter');
  const making = page.getByRole('dialog', { name: 'Back up now' });
  await waitFor('the note', () => hasFocus(making.getByRole('textbox', { name: 'Note' })));
  await page.keyboard.type('Made without a mouse');
  await tabTo(page, making.getByRole('button', { name: 'Back up', exact: true }));
  await page.keyboard.press('Enter');
  await making.waitFor({ state: 'detached' });
  const row = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await row.getByText('Made without a mouse', { exact: true }).waitFor();
  await row.getByText(/^Test restore succeeded/).waitFor();

  const restore = row.getByRole('button', { name: /^Restore the backup/ });
  const preview = page.getByRole('dialog', { name: /^Restore the backup/ });
  await tabTo(page, restore);
  for (const close of [() => page.keyboard.press('Escape'), () => cancel(page)]) {
    await page.keyboard.press('Enter');
    await preview.getByText('Tables that change').waitFor();
    const isInside = (dialog: Element) => dialog.contains(document.activeElement);
    expect(await preview.evaluate(isInside)).toBe(true);
    await close();
    await preview.waitFor({ state: 'detached' });
    await waitFor('the focus where it was', () => hasFocus(restore));
  }
});

async function cancel(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Space');
}
