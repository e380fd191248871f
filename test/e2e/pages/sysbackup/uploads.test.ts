// Archives from elsewhere on the page System Backup, and what it says of those that nothing can be restored from: the built gateway
// and pages.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MAGIC } from '../../../../server/backup/archive/head.ts';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { NEWEST_SCHEMA } from '../../../../server/store/backup/migrateHere.ts';
import { DEVICES_PATH, type DeviceRow } from '../../../../shared/protocol/api/devices.ts';
import { BACKUPS_PATH, type BackupList, backupPath } from '../../../../shared/protocol/api/system/backups.ts';
import { BACKUP_UPLOADED_PATH, RESTORE_PLAN_PATH } from '../../../../shared/protocol/api/system/restore.ts';
import { openForThreads } from '../../../server/store/testDatabase.ts';
import { aRun, aWriteTask, succeeded } from '../../../support/backup/archives.ts';
import { craftedArchive } from '../../../support/backup/craftedArchive.ts';
import { fleetArchive } from '../../../support/backup/uploadedArchives.ts';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { type BackupSite, backupRows, startBackupSite } from './backupSite.ts';

const PASSPHRASE = 'of another installation';
const WRONG_KEY = "The passphrase or recovery key doesn't match.";
/** The calls that the page makes in vain, and the browser complains of. */
const REFUSED = [BACKUP_UPLOADED_PATH, RESTORE_PLAN_PATH].map((path) => ({ url: new RegExp(`${path}$`), status: 422 }));

let site: BackupSite;
let devices: readonly DeviceRow[];
beforeAll(async () => {
  site = await startBackupSite();
});
afterAll(() => site?.close());

const devicesOf = async (page: Page) =>
  (await site.call<{ readonly rows: readonly DeviceRow[] }>(page, 'GET', `${DEVICES_PATH}?limit=100&offset=0`)).rows;

/** An empty list of backups. */
beforeEach(async () => {
  const page = await site.open();
  const { backups } = await site.call<BackupList>(page, 'GET', BACKUPS_PATH);
  for (const { id } of backups) await site.call(page, 'DELETE', backupPath(id));
  devices = await devicesOf(page);
  expect(devices).toHaveLength(2);
});

async function upload(page: Page, buffer: Buffer): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload backup' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload backup' });
  const file = { name: 'from-elsewhere.fgb', mimeType: 'application/octet-stream', buffer };
  await dialog.getByLabel('Select file').setInputFiles(file);
  await dialog.getByText(/^Uploaded \(/).waitFor();
  await dialog.getByRole('button', { name: 'Add to backups' }).click();
  return dialog;
}

async function add(page: Page, buffer: Buffer): Promise<Locator> {
  const dialog = await upload(page, buffer);
  await dialog.waitFor({ state: 'detached' });
  const row = backupRows(page).filter({ hasText: 'Uploaded by chief' });
  await row.waitFor();
  return row;
}

async function openRestore(page: Page, row: Locator): Promise<Locator> {
  await row.getByRole('button', { name: /^Restore/ }).click();
  return page.getByRole('dialog', { name: /^Restore the backup of/ });
}

/** The page goes on, with the session that there was, and nothing has been changed. */
async function expectAsBefore(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.getByRole('switch', { name: 'Back up on a schedule' }).waitFor();
  expect(await devicesOf(page)).toEqual(devices);
}

it('a wrong passphrase is said to be wrong, and the right one shows the preview', async () => {
  const page = await site.open({ allowed: REFUSED });
  const row = await add(page, await fleetArchive({ kind: 'passphrase', passphrase: PASSPHRASE }));
  const dialog = await openRestore(page, row);
  await dialog.getByText("The backup is encrypted with a passphrase that this server doesn't have.").waitFor();
  const field = dialog.getByLabel('Passphrase', { exact: true });
  await field.fill('a wrong guess');
  await page.keyboard.press('Enter');
  await dialog.getByText(WRONG_KEY).waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the wrong passphrase'));
  expect(await devicesOf(page)).toEqual(devices);

  await field.fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await dialog.getByRole('region', { name: 'Tables that change' }).waitFor();
  await expectAsBefore(page, dialog);
});

it('a wrong passphrase imports no parts either', async () => {
  const page = await site.open();
  const row = await add(page, await fleetArchive({ kind: 'passphrase', passphrase: PASSPHRASE }));
  await row.getByRole('button', { name: /^Import parts/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Import parts of a backup' });
  await dialog.getByRole('checkbox', { name: 'Devices and device groups' }).check();
  await dialog.getByLabel('Passphrase or recovery key', { exact: true }).fill('a wrong guess');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText(WRONG_KEY).waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the wrong passphrase of parts'));
  await expectAsBefore(page, dialog);
});

it('an archive without its end stands in the list with the reason, and can’t be restored', async () => {
  const page = await site.open();
  const row = await add(page, (await fleetArchive({ kind: 'none' })).subarray(0, -100));
  await row.getByText('The end of the file is missing.').waitFor();
  const uses = await row.getByRole('button', { name: /^(Restore|Test|Import)/ }).all();
  expect(await Promise.all(uses.map((use) => use.isDisabled()))).toEqual([true, true, true]);
  await atBothWidths(page, () => expectAccessible(page, 'an archive without its end'));
  expect(await devicesOf(page)).toEqual(devices);
});

it.each([
  [
    'without its head',
    async () => (await fleetArchive({ kind: 'none' })).subarray(0, 40),
    "This file isn't a backup of Fleetglass, or is damaged.",
  ],
  [
    'of a newer schema',
    () => craftedArchive([], { schemaVersion: NEWEST_SCHEMA + 1 }),
    'This backup was made by a newer version of Fleetglass. Update first.',
  ],
  ['of a newer format', newerFormat, 'This backup was made by a newer version of Fleetglass. Update first.'],
] as const)('an archive %s is not put among the backups', async (_what, archive, text) => {
  const page = await site.open({ allowed: REFUSED });
  const dialog = await upload(page, await archive());
  await dialog.getByText(text).waitFor();
  await atBothWidths(page, () => expectAccessible(page, text));
  expect((await site.call<BackupList>(page, 'GET', BACKUPS_PATH)).backups).toEqual([]);
  expect(await devicesOf(page)).toEqual(devices);
  // A member may have three: one that a page drops as it closes may stay.
  const dropped = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await dropped).status()).toBe(200);
});

async function newerFormat(): Promise<Buffer> {
  const archive = await craftedArchive([]);
  archive.writeUInt16BE(archive.readUInt16BE(MAGIC.length) + 1, MAGIC.length);
  return archive;
}

/** Gives its path. */
async function anArchive(): Promise<string> {
  const { folder, location } = await openForThreads('sqlite');
  const task = aWriteTask(location, folder, { key: { kind: 'passphrase', passphrase: PASSPHRASE }, note: 'Depot 7' });
  succeeded(await writeArchive(task, aRun()));
  return task.path;
}

it('is added in the background, and tested with the key that is asked for (S-2.4.19)', async () => {
  const page = await site.open({
    allowed: [{ url: /\/api\/backup\/backups\/\d+\/test$/, status: 422 }],
  });
  await page.getByRole('button', { name: 'Upload backup' }).click();
  const uploading = page.getByRole('dialog', { name: 'Upload backup' });
  await uploading.getByLabel('Select file').setInputFiles(await anArchive());
  await uploading.getByText(/^Uploaded \(/).waitFor();
  await uploading.getByRole('button', { name: 'Add to backups' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Depot 7' });
  await row.getByText('A test shows what is in it').waitFor();
  await row.getByText('Not tested', { exact: true }).waitFor();

  await row.getByRole('button', { name: /^Test the backup of/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Test the backup of/ });
  await dialog.getByLabel('Passphrase', { exact: true }).fill('a guess at the passphrase');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText("The passphrase or recovery key doesn't match.").waitFor();
  await atBothWidths(page, () => expectAccessible(page, 'the question for the key'));
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await row.getByText(/^Test restore succeeded/).waitFor();
  await row.getByText(/Rows: \d/).waitFor();
  await expect.poll(() => row.getByText(/Settings and master data, Positions and trips, Events/).count()).toBe(1);
});
