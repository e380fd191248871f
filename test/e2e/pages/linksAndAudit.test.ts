// The tables of links and of the audit on the account page: the built gateway and pages. How a link is made, opened in a frame of another
// site and revoked stands in the journey; what tables show of their lists is tested without a gateway.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashSecret } from '../../../server/auth/secrets.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import { atBothWidths, expectAccessible, expectFits, NARROW_PX, shareInView } from '../../support/browser/looks.ts';
import { searchTable } from '../../support/browser/searchTable.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../support/gateway/peopleSite.ts';

const OLD_LINKS = 60;
const ENTRIES = 120;
const HOUR_MS = 3_600_000;
/** The oldest entry; each of the others is an hour younger. */
const FIRST_MS = Date.UTC(2025, 0, 1);

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(fill);
});
afterAll(() => site?.close());

async function fill(stores: Stores): Promise<void> {
  const deviceGroup = await stores.deviceGroups.insert('Buses');
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', plate: 'KEE-0001', chn: 1, deviceGroup });
  const ownerId = await addChief(stores, 'manager');
  await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
  const now = Date.now();
  for (let at = 0; at < OLD_LINKS; at++) {
    const link = { ownerId, deviceId: 'BUS1', channelMask: 1, kinds: ['live'], note: `case ${at}` } as const;
    await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(`${at}`) }, wallMs(now - 1_000));
  }
  for (let at = 0; at < ENTRIES; at++) {
    const entry = { actor: 'mei', action: 'device.change', target: `BUS${at}` } as const;
    await stores.audit.add(entry, wallMs(FIRST_MS + at * HOUR_MS));
  }
  const change = { before: { name: 'Bus' }, after: { name: '<img src=x onerror=alert(1)>' } };
  await stores.audit.add({ actor: 'mei', action: 'device.change', target: 'BUS1', ...change }, wallMs(now - 5_000));
}

const rows = (page: Page) => page.locator('.MuiDataGrid-row');
const cells = (page: Page, column: string) => page.locator(`.MuiDataGrid-cell[data-field="${column}"]`);
const foot = (page: Page) => page.locator('.MuiTablePagination-displayedRows');
const footIs = (page: Page, text: string | RegExp) => expect.poll(() => foot(page).textContent()).toMatch(text);
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** The first row's target, once it is that of the page. */
function begins(page: Page, first: RegExp): Promise<void> {
  const target = page.locator('.MuiDataGrid-cell[data-field="target"], .MuiDataGrid-cell[data-field="__card"]').first();
  return expect.poll(() => target.textContent()).toMatch(first);
}

async function jump(page: Page, digits: string): Promise<void> {
  await page.getByRole('group', { name: 'Jump to date' }).getByRole('spinbutton', { name: 'Year' }).click();
  await page.keyboard.type(digits);
}

async function exported(page: Page): Promise<readonly string[]> {
  const download = page.waitForEvent('download');
  await press(page, 'Export CSV');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString('utf8');
  return text.trim().split('\r\n');
}

/** In a phone's width. */
async function showFromDay(page: Page): Promise<void> {
  await jump(page, '20250103');
  // Newest first: the last hour of the day in Taipei.
  await begins(page, /BUS63(?!\d)/);
  await footIs(page, /^From 2025-01-03$/);
  await press(page, 'Go to next page');
  await begins(page, /BUS13(?!\d)/);
  for (const first of [/BUS63(?!\d)/, /BUS113(?!\d)/]) {
    await press(page, 'Go to previous page');
    await begins(page, first);
  }
  // What the pointer shows of the button that it is on.
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await expectAccessible(page, 'from a day on');
  await page.getByRole('group', { name: 'Jump to date' }).hover();
  await press(page, 'Clear');
  await footIs(page, /^1–50 of \d+$/);
}

async function showFromNoDay(page: Page): Promise<void> {
  await jump(page, '20240101');
  await page.getByText('No results from this date. Select another date.').waitFor();
  await press(page, 'Clear date');
  await footIs(page, /^1–50 of \d+$/);
}

/** By the keyboard from the search on; what it holds is shown as text. */
async function openEntry(page: Page): Promise<void> {
  await searchTable(page, 'onerror');
  await expect.poll(() => cells(page, 'actor').allTextContents()).toEqual(['mei']);
  await focusOn(page.getByLabel('Search table'));
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.closest('[role=columnheader],[role=gridcell]') !== null);
    })
    .toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Device changed' });
  await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
  await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Show all by mei' }).click();
  await page.getByText('By mei', { exact: true }).waitFor();
}

it('the audit is shown from a day on in a phone, whose tab is in view, and downloaded whole', async () => {
  const page = await site.people.openPage('manager', { locale: 'jp', width: NARROW_PX });
  // Unless motion is unwanted, the row of tabs scrolls to the open one over some frames, in which its arrows appear.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/innerpage/membership.html#audit');
  await rows(page).first().waitFor();
  await atBothWidths(page, async () => expect(await shareInView(page, '#tab-audit')).toBeGreaterThan(0.95));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await switchLanguage(page, 'en');
  await showFromDay(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectFits(page, 'the audit');
  await showFromNoDay(page);
  // What the gateway has written of the sign-in and the export comes on top.
  expect((await exported(page)).length).toBeGreaterThan(ENTRIES + 1);
});

it('an entry of the audit is opened by keyboard; links are paged, sorted, searched and downloaded', async () => {
  const page = await site.people.openPage('manager');
  await page.goto('/innerpage/membership.html#audit');
  await rows(page).first().waitFor();
  await openEntry(page);

  await page.getByRole('tab', { name: 'Share links' }).click();
  await footIs(page, new RegExp(`^1–50 of ${OLD_LINKS}$`));
  const asked = page.waitForRequest(/\/api\/link\/links\?.*after=/);
  await press(page, 'Go to next page');
  await asked;
  await footIs(page, new RegExp(`^51–${OLD_LINKS} of ${OLD_LINKS}$`));
  await page.getByRole('columnheader', { name: 'Note' }).click();
  await expect
    .poll(async () => (await cells(page, 'note').allTextContents()).slice(0, 3))
    .toEqual(['case 0', 'case 1', 'case 10']);
  await footIs(page, new RegExp(`^1–50 of ${OLD_LINKS}$`));
  await page.getByLabel('Search table').fill('CASE 1');
  await footIs(page, /^1–11 of 11$/);
  expect(await exported(page)).toHaveLength(12);
});
