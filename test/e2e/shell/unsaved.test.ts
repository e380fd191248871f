// What was typed in a framed page and not saved, when the shell would take the page away.
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { answerFrames, newPage, openShell, PASSWORD, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
  answerFrames(site.tap, '/innerpage/dashboard.html');
});

const NOTE = 'two hours of work';

const noteOf = (frame: FrameLocator) => frame.getByRole('textbox', { name: 'Note' }).inputValue();
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** The form of a new link in the framed account page, with something typed in it. */
async function fillForm(frame: FrameLocator): Promise<void> {
  await frame.getByRole('tab', { name: 'Share links' }).click();
  await frame.getByRole('button', { name: 'Create share link' }).first().click();
  await frame.getByRole('textbox', { name: 'Note' }).fill(NOTE);
}

/** The user is asked, and stays. */
async function stays(page: Page, frame: FrameLocator): Promise<void> {
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
  expect(pathOf(page)).toBe('/membership');
  expect(await noteOf(frame)).toBe(NOTE);
}

async function leavesFor(page: Page, path: string): Promise<void> {
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await waitFor(
    `the page ${path}`,
    () => pathOf(page),
    (shown) => shown === path,
  );
}

test('a page in the shell that holds unsaved changes is left for another page, or by Back, only when the user says so, and stays when the session ends', async () => {
  const page = await newPage(site, { user: 'chief', ownSession: true, allowed: [{ url: /\/api\//, status: 401 }] });
  await openShell(page, '/');
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  await link('Account').click();
  const frame = page.frameLocator('iframe');
  await fillForm(frame);

  await link('Dashboard').click();
  await stays(page, frame);
  await page.evaluate(() => window.history.back());
  await stays(page, frame);

  await page.context().clearCookies();
  // A call that is refused makes the page ask who is there; the shell asks for itself and stays.
  await frame.getByRole('combobox', { name: 'Device' }).fill('x');
  await frame.getByText('Your session has ended').waitFor();
  expect(pathOf(page)).toBe('/membership');
  await frame.locator('input[name=password]').fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await frame.getByText('Your session has ended').waitFor({ state: 'detached' });
  expect(await noteOf(frame)).toBe(NOTE);

  await page.evaluate(() => window.history.back());
  await leavesFor(page, '/');
  await expect.poll(() => page.locator('iframe').count()).toBe(0);

  await link('Account').click();
  await fillForm(frame);
  await link('Dashboard').click();
  await leavesFor(page, '/dashboard');
  await expect.poll(() => page.locator('iframe').getAttribute('src')).toBe('/innerpage/dashboard.html');
});
