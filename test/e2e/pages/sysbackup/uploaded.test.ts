// A backup of another installation, uploaded on the page: the built gateway and pages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { openForThreads } from '../../../server/store/testDatabase.ts';
import { aRun, aWriteTask, succeeded } from '../../../support/backup/archives.ts';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { type BackupSite, startBackupSite } from './backupSite.ts';

const PASSPHRASE = 'a passphrase of another depot';

let site: BackupSite;
beforeAll(async () => {
  site = await startBackupSite();
});
afterAll(() => site?.close());

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
  expect(await row.getByText(/Settings and master data, Positions and trips, Events/).count()).toBe(1);
});
