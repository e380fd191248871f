// What was typed in a framed page and not saved, when the shell would take the page away.
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPage, openShell, PASSWORD, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

const NOTE = 'two hours of work';

/** The form of a new link in the framed account page, with something typed in it. */
async function openForm(ownSession: boolean): Promise<{ page: Page; frame: FrameLocator }> {
  const page = await newPage(site, { user: 'chief', ownSession, allowed: [{ url: /\/api\//, status: 401 }] });
  await openShell(page, '/membership');
  const frame = page.frameLocator('iframe');
  await frame.getByRole('tab', { name: 'Share links' }).click();
  await frame.getByRole('button', { name: 'Create share link' }).first().click();
  await frame.getByRole('textbox', { name: 'Note' }).fill(NOTE);
  return { page, frame };
}

const noteOf = (frame: FrameLocator) => frame.getByRole('textbox', { name: 'Note' }).inputValue();
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const framePath = (page: Page) =>
  page.evaluate(() => document.querySelector('iframe')?.contentWindow?.location.pathname ?? '');

describe('a page in the shell that holds unsaved changes', () => {
  test('is left for another page of the menu only when the user says so', async () => {
    const { page, frame } = await openForm(false);
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/membership');
    expect(await noteOf(frame)).toBe(NOTE);

    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await waitFor(
      'the dashboard',
      () => framePath(page),
      (path) => path === '/innerpage/dashboard.html',
    );
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  test('is left by Back only when the user says so', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page, '/');
    await page.getByRole('navigation').getByRole('link', { name: 'Account', exact: true }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('tab', { name: 'Share links' }).click();
    await frame.getByRole('button', { name: 'Create share link' }).first().click();
    await frame.getByRole('textbox', { name: 'Note' }).fill(NOTE);

    await page.evaluate(() => window.history.back());
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).pathname).toBe('/membership');
    expect(await noteOf(frame)).toBe(NOTE);

    await page.evaluate(() => window.history.back());
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await waitFor(
      'the home page',
      () => new URL(page.url()).pathname,
      (path) => path === '/',
    );
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  });

  test('stays when the session ends, and goes on after signing in again', async () => {
    const { page, frame } = await openForm(true);
    await page.context().clearCookies();
    // A call that is refused makes the page ask who is there; the shell asks for itself and stays.
    await frame.getByRole('combobox', { name: 'Device' }).fill('x');
    await frame.getByText('Your session has ended').waitFor();
    expect(new URL(page.url()).pathname).toBe('/membership');
    await frame.locator('input[name=password]').fill(PASSWORD);
    await frame.getByRole('button', { name: 'Sign in' }).click();
    await frame.getByText('Your session has ended').waitFor({ state: 'detached' });
    expect(await noteOf(frame)).toBe(NOTE);
    await page.reload();
    await openShell(page, '/membership');
  });
});
