// The page System Backup as administrators use it: the built gateway and pages. What its dialogs say: test/dom/pages/sysbackup.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { DEVICES_PATH, type DeviceDetail, deviceFieldsOf } from '../../../../shared/protocol/api/devices.ts';
import { openForThreads } from '../../../server/store/testDatabase.ts';
import { aRun, aWriteTask, succeeded } from '../../../support/backup/archives.ts';
import { hasFocus, pressOn, tabTo } from '../../../support/browser/keyboard.ts';
import { expectAccessible } from '../../../support/browser/looks.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type BackupSite, startBackupSite } from './backupSite.ts';

const LAST_TESTED = 'This is the newest backup that passed its test. Make and test another one first.';
const PASSPHRASE = 'of another installation';
const RENAMED = 'Renamed by mistake';
/** Calls of the page that are refused, about which the browser complains. */
const REFUSED = [
  { url: /\/api\/backup\/backups\/\d+$/, status: 409 },
  { url: /\/api\/backup\/backups\/\d+\/test$/, status: 422 },
] as const;

let site: BackupSite;
beforeAll(async () => {
  site = await startBackupSite();
});
afterAll(() => site?.close());

const rows = (page: Page) => page.getByRole('list', { name: 'Backups' }).getByRole('listitem');

/** Makes a backup, and waits until its test has passed. */
async function backUp(page: Page, note: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Back up now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Back up now' });
  await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog.getByRole('button', { name: 'Back up', exact: true }).click();
  // When the dialog closes, it gives the focus back to where it was opened.
  await dialog.waitFor({ state: 'detached' });
  return tested(page, note);
}

async function tested(page: Page, note: string): Promise<Locator> {
  const row = rows(page).filter({ hasText: note });
  await row.getByText(/^Test restore succeeded \d{4}-\d\d-\d\d, /).waitFor();
  return row;
}

const bus = (id: string) => site.call<DeviceDetail>('GET', `${DEVICES_PATH}/${id}`);

/** Gives BUS1 another name, and deletes BUS2. */
async function ruin(): Promise<void> {
  const { version, recording, ...first } = await bus('BUS1');
  await site.call('PUT', `${DEVICES_PATH}/BUS1`, { ...deviceFieldsOf(first), name: RENAMED, version, recording });
  const second = await bus('BUS2');
  await site.call('DELETE', `${DEVICES_PATH}/BUS2?version=${second.version}&recordings=keep`);
}

describe('the page System Backup (S-1.2, S-2.4.19)', () => {
  it('previews parts of a backup, imports exactly those, and gives the focus back', async () => {
    const page = await site.open();
    const row = await backUp(page, 'Before the mistake');
    await ruin();
    const opener = row.getByRole('button', { name: /^Import parts of the backup of/ });
    await pressOn(opener, 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Import parts of a backup' });
    await pressOn(dialog.getByRole('checkbox', { name: 'Devices and device groups' }), 'Space');
    await pressOn(dialog.getByRole('checkbox', { name: 'Message templates' }), 'Space');
    await pressOn(dialog.getByRole('button', { name: 'Preview' }), 'Enter');
    await dialog.getByText('Add: 1, change: 1, no change: 3, reject: 1').waitFor();
    const records = dialog.getByRole('group', { name: 'Records in the backup' }).getByRole('listitem');
    await expect.poll(() => records.count()).toBe(3);
    const texts = await records.allInnerTexts();
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^Change\\s+Device BUS1\\s+Name: ${RENAMED} → Bus BUS1$`)),
        expect.stringMatching(/^Add\s+Device BUS2$/),
        expect.stringMatching(/^Reject\s+Device group Trucks\s+It belongs to/),
      ]),
    );
    await expectAccessible(page, 'the preview of parts');
    await dialog.getByLabel('Result').selectOption({ label: 'Add' });
    await expect.poll(() => records.allInnerTexts()).toEqual([expect.stringContaining('BUS2')]);
    expect((await bus('BUS1')).name).toBe(RENAMED);

    await pressOn(dialog.getByRole('button', { name: 'Import (2)' }), 'Enter');
    await dialog.getByText('Imported. Added: 1, changed: 1, failed: 0').waitFor();
    await pressOn(dialog, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFor('the focus where it was', () => hasFocus(opener));
    expect(await bus('BUS1')).toMatchObject({ name: 'Bus BUS1', groupName: 'Buses' });
    expect(await bus('BUS2')).toMatchObject({ name: 'Bus BUS2', groupName: 'Line 1/2' });
  });

  it('makes, tests, previews, hands out, deletes and takes in backups, and keeps a plan with its recovery key', async () => {
    const page = await site.open({ allowed: REFUSED });
    const row = await makeByKeyboard(page, 'Before <b>the move</b>');
    await row.getByText('By chief', { exact: true }).waitFor();
    await row.getByText('Before <b>the move</b>', { exact: true }).waitFor();
    await previewByKeyboard(page, row);
    await download(page, row);

    await row.getByRole('button', { name: /^Delete/ }).click();
    const deleting = page.getByRole('alertdialog');
    await deleting.getByRole('button', { name: 'Delete' }).click();
    await deleting.getByText(LAST_TESTED).waitFor();
    await deleting.getByRole('button', { name: 'Cancel' }).click();
    await backUp(page, 'After it');
    await row.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Backup deleted.').first().waitFor();
    await row.waitFor({ state: 'detached' });

    await takeIn(page);
    await setPlan(page);
  });
});

async function makeByKeyboard(page: Page, note: string): Promise<Locator> {
  await tabTo(page, page.getByRole('button', { name: 'Back up now' }));
  await page.keyboard.press('Enter');
  const making = page.getByRole('dialog', { name: 'Back up now' });
  await waitFor('the note', () => hasFocus(making.getByRole('textbox', { name: 'Note' })));
  await page.keyboard.type(note);
  await tabTo(page, making.getByRole('button', { name: 'Back up', exact: true }));
  await page.keyboard.press('Enter');
  await making.waitFor({ state: 'detached' });
  return tested(page, note);
}

async function previewByKeyboard(page: Page, row: Locator): Promise<void> {
  const opener = row.getByRole('button', { name: /^Restore the backup/ });
  const preview = page.getByRole('dialog', { name: /^Restore the backup/ });
  const cancel = async (): Promise<void> => {
    await tabTo(page, preview.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Space');
  };
  await tabTo(page, opener);
  for (const close of [() => page.keyboard.press('Escape'), cancel]) {
    await page.keyboard.press('Enter');
    await preview.getByText('Tables that change').waitFor();
    expect(await preview.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await close();
    await preview.waitFor({ state: 'detached' });
    await waitFor('the focus where it was', () => hasFocus(opener));
  }
}

async function download(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button', { name: /^Download/ }).click();
  const handing = page.getByRole('alertdialog');
  await handing.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const begun = page.waitForEvent('download');
  await handing.getByRole('button', { name: 'Download' }).click();
  const file = await begun;
  expect(file.suggestedFilename()).toMatch(/\.fgb$/);
  expect(readFileSync(await file.path()).toString('latin1', 0, 8)).toBe('FGBACKUP');
}

/** An archive of another installation, which is added in the background, and tested with the key that the page requires. */
async function takeIn(page: Page): Promise<void> {
  const { folder, location } = await openForThreads('sqlite');
  const task = aWriteTask(location, folder, { key: { kind: 'passphrase', passphrase: PASSPHRASE }, note: 'Depot 7' });
  succeeded(await writeArchive(task, aRun()));
  await page.getByRole('button', { name: 'Upload backup' }).click();
  const uploading = page.getByRole('dialog', { name: 'Upload backup' });
  await uploading.getByLabel('Select file').setInputFiles(task.path);
  await uploading.getByText(/^Uploaded \(/).waitFor();
  await uploading.getByRole('button', { name: 'Add to backups' }).click();
  const row = rows(page).filter({ hasText: 'Depot 7' });
  await row.getByText('A test shows what is in it').waitFor();
  await row.getByText('Not tested', { exact: true }).waitFor();

  await row.getByRole('button', { name: /^Test the backup of/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Test the backup of/ });
  for (const [key, said] of [
    ['a guess at the passphrase', dialog.getByText("The passphrase or recovery key doesn't match.")],
    [PASSPHRASE, row.getByText(/^Test restore succeeded/)],
  ] as const) {
    await dialog.getByLabel('Passphrase', { exact: true }).fill(key);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await said.waitFor();
  }
  await row.getByText(/Rows: \d/).waitFor();
  await row.getByText(/Settings and master data, Positions and trips, Events/).waitFor();
}

/** From here on backups are encrypted. */
async function setPlan(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.getByText(/^Scheduled backups are off/).waitFor();
  await page.getByRole('switch', { name: 'Back up on a schedule' }).check();
  await page.getByRole('combobox', { name: 'Encryption' }).selectOption('recovery-key');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recovery key' });
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Recovery key' }).inputValue())
    .toMatch(/^([A-Z2-7]{4}[ -]?){14}$/);
  await dialog.getByRole('checkbox').check();
  await expectAccessible(page, 'the recovery key');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText(/^Scheduled backups are off/).waitFor({ state: 'detached' });
  await page.getByText(/^Backups aren't encrypted/).waitFor({ state: 'detached' });
  const next = page.getByRole('region', { name: 'Overview' }).getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await next.waitFor();
}
