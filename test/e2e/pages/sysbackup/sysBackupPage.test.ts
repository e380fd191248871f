// The page System Backup as administrators see it: the built gateway and pages.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atBothWidths, expectAccessible } from '../../../support/browser/looks.ts';
import { expectTranslated, expectWords, type Locale } from '../../../support/browser/words.ts';
import type { PageOptions } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

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
    expect(await rows(page).count()).toBe(1);
  });

  it('keeps a plan, whose recovery key is shown once', async () => {
    const page = await openPage('?tab=plan');
    await page.getByText(/^Scheduled backups are off/).waitFor();
    await page.getByRole('switch', { name: 'Back up on a schedule' }).check();
    await page.getByRole('combobox', { name: 'Encryption' }).selectOption('recovery-key');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recovery key' });
    expect(await dialog.getByRole('textbox', { name: 'Recovery key' }).inputValue()).toMatch(
      /^([A-Z2-7]{4}[ -]?){14}$/,
    );
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

  it.each([
    ['en', 1280, 'light'],
    ['zh-TW', 360, 'dark'],
    ['jp', 1280, 'dark'],
  ] as const)('S-1.4, S-9.11 speaks the language, is accessible and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    await haveBackup();
    for (const tab of ['backups', 'plan']) {
      const page = await openPage(`?tab=${tab}`, { locale, width, colorScheme });
      await expectSaid(page, locale, page.locator('body'));
      await atBothWidths(page, () => expectAccessible(page, `${tab} in ${locale}`));
    }
  });

  it.each(['zh-TW', 'jp'] as const)('S-1.4, S-9.11 what a restore would do is told in %s', async (locale) => {
    await haveBackup();
    const page = await openPage('', { locale });
    const actions = page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button');
    await actions.nth(DETAILS).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expectSaid(page, locale, dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await actions.nth(RESTORE).click();
    await dialog.getByRole('checkbox').first().waitFor();
    await expectSaid(page, locale, dialog);
    await expectAccessible(page, `the preview in ${locale}`, '[role=dialog]');
  });
});

/** Their places among the buttons of a backup. */
const DETAILS = 0;
const RESTORE = 3;
const NAMESPACES = ['SystemBackup', 'Common', 'Form', 'Menu', 'TopBar'];

/** All that is said is in the language, and moments are there as everywhere. */
async function expectSaid(page: Page, locale: Locale, where: Locator): Promise<void> {
  const said = await where.innerText();
  expectWords(said, locale);
  expect(said).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  await expectTranslated(page, said, locale, NAMESPACES);
}

let made: Promise<void> | undefined;

/** One that has passed its test, for all tests that look at one. */
function haveBackup(): Promise<void> {
  made ??= openPage().then((page) => backUp(page, 'To look at'));
  return made;
}
