// A restore from the page System Backup: the built gateway and pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_SETTINGS_PATH, type ServerSettings } from '../../../../shared/protocol/api/system/settings.ts';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { PASSWORD, signIn } from '../../../support/gateway/site.ts';
import { WHILE_RESTORING } from './whileRestoring.ts';

const BACKUPS = '/innerpage/sysbackup.html';
const TITLE = 'Southern Fleet';

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addChief, { WEB_TITLE: 'Northern Fleet' });
});
afterAll(() => site?.close());

async function backUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByRole('button', { name: 'Back up', exact: true }).click();
  await page
    .getByRole('listitem')
    .getByText(/^Test restore succeeded/)
    .waitFor();
}

/** What the backup doesn't have. */
async function rename(page: Page): Promise<void> {
  const address = site.product.address + SERVER_SETTINGS_PATH;
  const { data } = (await (await page.request.get(address)).json()) as { readonly data: ServerSettings };
  const { presets: _, ...settings } = data;
  const changed = { data: { ...settings, webTitle: TITLE }, headers: { origin: site.product.address } };
  expect((await page.request.put(address, changed)).status()).toBe(200);
}

it('brings the installation back, and ends at sign-in (S-2.4.19)', async () => {
  const page = await site.people.openPage('chief', { allowed: WHILE_RESTORING });
  await page.goto(BACKUPS);
  await backUp(page);
  await rename(page);
  await expect.poll(() => page.title()).toBe(TITLE);

  await page.getByRole('button', { name: /^Restore the backup of/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Restore the backup of/ });
  const tables = dialog.getByRole('region', { name: 'Tables that change' });
  await tables.getByText('setting', { exact: true }).waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the preview'));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('textbox', { name: 'Title of this site' }).fill(TITLE);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await atBothWidths(page, () => expectAccessible(page, 'the confirmation'));
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByText("Restore in progress. You'll be signed out.").waitFor();
  await page.waitForURL(/login/, { timeout: 120_000 });
  await expect.poll(() => page.title()).toBe('Northern Fleet');

  await signIn(page.context(), site.product.address, 'chief');
  await page.goto(BACKUPS);
  await page.getByText(/^Backup of .* restored \d{4}-\d\d-\d\d/).waitFor();
  await page.getByRole('listitem').getByText('Before a restore', { exact: true }).waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the last restore'));
});
