// The page System Backup as administrators see it: the built gateway and pages.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFocus, tabTo } from '../../../support/browser/keyboard.ts';
import { expectAccessible } from '../../../support/browser/looks.ts';
import type { PageOptions } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { waitFor } from '../../../support/waitFor.ts';

const BACKUPS = '/innerpage/sysbackup.html';
const LAST_TESTED = 'This is the newest backup that passed its test. Make and test another one first.';

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addChief);
});
afterAll(() => site?.close());

async function openPage(query = '', options: PageOptions = {}): Promise<Page> {
  const page = await site.people.openPage('chief', options);
  await page.goto(BACKUPS + query);
  await page.getByRole('tabpanel').waitFor();
  return page;
}

const rows = (page: Page) => page.getByRole('list', { name: 'Backups' }).getByRole('listitem');

/** Waits until its test has passed. */
async function backUp(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Back up now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Back up now' });
  await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog.getByRole('button', { name: 'Back up', exact: true }).click();
  await rows(page)
    .filter({ hasText: note })
    .getByText(/^Test restore succeeded \d{4}-\d\d-\d\d, /)
    .waitFor();
}

describe('the page System Backup (S-1.2, S-2.4.19)', () => {
  it('makes a backup by hand, tests it, hands it out and deletes it', async () => {
    const page = await openPage('', { allowed: [{ url: /\/api\/backup\/backups\/\d+$/, status: 409 }] });
    await page.getByText('No backups yet. Make one now, or set up the plan.').waitFor();
    await backUp(page, 'Before <b>the move</b>');
    const row = rows(page).first();
    await row.getByText('By chief', { exact: true }).waitFor();
    await row.getByText('Before <b>the move</b>', { exact: true }).waitFor();

    await row.getByRole('button', { name: /^Download/ }).click();
    const handing = page.getByRole('alertdialog');
    await handing.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const download = page.waitForEvent('download');
    await handing.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.fgb$/);
    expect(
      readFileSync(await file.path())
        .subarray(0, 8)
        .toString(),
    ).toBe('FGBACKUP');

    await row.getByRole('button', { name: /^Delete/ }).click();
    const deleting = page.getByRole('alertdialog');
    await deleting.getByRole('button', { name: 'Delete' }).click();
    await deleting.getByText(LAST_TESTED).waitFor();
    await deleting.getByRole('button', { name: 'Cancel' }).click();
    await backUp(page, 'After it');
    await rows(page)
      .filter({ hasText: 'Before' })
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Backup deleted.').first().waitFor();
    await rows(page).filter({ hasText: 'Before' }).waitFor({ state: 'detached' });
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  it('S-2.4.19 a backup is made by keyboard alone, and the preview of its restore opened and closed', async () => {
    const page = await openPage();
    await tabTo(page, page.getByRole('button', { name: 'Back up now' }));
    await page.keyboard.press('Enter');
    const making = page.getByRole('dialog', { name: 'Back up now' });
    await waitFor('the note', () => hasFocus(making.getByRole('textbox', { name: 'Note' })));
    await page.keyboard.type('Made without a mouse');
    await tabTo(page, making.getByRole('button', { name: 'Back up', exact: true }));
    await page.keyboard.press('Enter');
    await making.waitFor({ state: 'detached' });
    const row = rows(page).filter({ hasText: 'Made without a mouse' });
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

  // Last: from here on backups are encrypted.
  it('keeps a plan, whose recovery key is shown once', async () => {
    const page = await openPage('?tab=plan');
    await page.getByText(/^Scheduled backups are off/).waitFor();
    await page.getByRole('switch', { name: 'Back up on a schedule' }).check();
    await page.getByRole('combobox', { name: 'Encryption' }).selectOption('recovery-key');
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
    await page
      .getByRole('region', { name: 'Overview' })
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      .waitFor();
  });
});

async function cancel(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Space');
}
