// The page Version as administrators see it, by keyboard too, and its settings with pages open meanwhile: the built gateway and pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { hasFocus, tabTo } from '../../../support/browser/keyboard.ts';
import { addWatchedVehicle } from '../../../support/browser/watcher.ts';
import { newPage } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { waitFor } from '../../../support/waitFor.ts';

const VERSION = '/innerpage/version.html';
const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'KEE-0001',
  channels: 8,
  lapShare: 0,
};
const LAYOUTS = { live: 'Live view of 7 or 8 channels', playback: 'Playback of 7 or 8 channels' } as const;

let site: PeopleSite;
let link = '';
beforeAll(async () => {
  site = await startPeopleSite(
    async (stores) => {
      link = await addWatchedVehicle(stores, BUS, ['live', 'playback']);
      for (const username of ['chief', 'second']) await addChief(stores, username);
    },
    { WEB_TITLE: 'Northern Fleet', MAX_LICENSE: '25' },
  );
});
afterAll(() => site?.close());

async function openPage(query = ''): Promise<Page> {
  const page = await site.people.openPage('chief');
  await page.goto(VERSION + query);
  return page;
}

/** What runs, and since when. */
async function expectAbout(page: Page): Promise<void> {
  const product = page.getByRole('region', { name: 'Product' });
  await product.getByText(/^[0-9a-f]{12} · \d{4}-\d\d-\d\d/).waitFor();
  await product.getByText(/^SQLite \d/).waitFor();
  const server = page.getByRole('region', { name: 'Server', exact: true });
  await server.getByText(process.version, { exact: true }).waitFor();
  await server.getByText(/same as this browser$/).waitFor();
  await page.getByText(/\(this server\)/).waitFor();
  await page.getByText(/^-----BEGIN PUBLIC KEY-----/).waitFor();
  await page.getByRole('region', { name: "What's new" }).getByRole('heading', { name: 'Added' }).first().waitFor();
}

/** What was bundled, with its licenses. */
async function expectNotices(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Third-party notices' }).click();
  await page.getByRole('searchbox', { name: 'Name or license' }).fill('mediabunny');
  await page.getByRole('button', { name: /^mediabunny / }).click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByText(/Mozilla Public License/).first();
  await text.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goBack();
  await page.getByRole('region', { name: 'Tables' }).waitFor();
}

/** What runs is well, on the ports that it really listens on. */
async function expectHealth(page: Page): Promise<void> {
  const ports = page.getByRole('region', { name: 'Ports' });
  await ports.getByText(`Port: ${new URL(site.product.address).port}`, { exact: true }).waitFor();
  await ports.getByText('OK', { exact: true }).waitFor();
}

async function expectTables(page: Page): Promise<void> {
  const tables = page.getByRole('region', { name: 'Tables' });
  await tables.getByRole('button', { name: /^Show all/ }).click();
  await tables.getByText('app_user', { exact: true }).waitFor();
}

/** By the arrows, from the tab before it, which has the focus. */
async function nextTab(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ArrowRight');
  expect(await hasFocus(page.getByRole('tab', { name }))).toBe(true);
  await page.keyboard.press('Enter');
}

const titleIs = (page: Page, title: string) =>
  waitFor(
    `the title ${title}`,
    () => page.getByRole('banner').innerText(),
    (text) => text.includes(title),
  );

async function changeSettings(page: Page): Promise<void> {
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.waitFor();
  await tabTo(page, title);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Depot by keyboard');
  const layout = page.getByRole('combobox', { name: LAYOUTS.live });
  await tabTo(page, layout);
  await page.keyboard.press('T');
  await expect.poll(() => layout.inputValue()).toBe('3x3');
  const save = page.getByRole('button', { name: 'Save' });
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await page.getByText('Settings saved.').first().waitFor();
  await titleIs(page, 'Depot by keyboard');

  for (const name of ['Title', LAYOUTS.live]) {
    await tabTo(page, page.getByRole('button', { name: `Reset ${name} to preset` }));
    await page.keyboard.press('Enter');
  }
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await titleIs(page, 'Northern Fleet');
}

/** Left edges of the tiles: as many as there are columns. */
async function columnsOf(page: Page): Promise<number> {
  const lefts = await page
    .locator('section.video-tile')
    .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().left)));
  return new Set(lefts).size;
}

const showsColumns = (page: Page, count: number) =>
  waitFor(
    `${count} columns`,
    () => columnsOf(page),
    (columns) => columns === count,
  );

async function openByLink(path: string): Promise<Page> {
  const page = await newPage(await site.people.strangersContext(), { width: 1600, height: 900 });
  await page.goto(path);
  return page;
}

/** Opened by the same link; nothing is recorded. */
function playbackPath(): string {
  const [device, user, credential] = link.split('/');
  return `/playback/${device}/0/2026-11-20T14:03:05Z/${user}/${credential}`;
}

/** Answers once the gateway has them. */
async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await saved).ok()).toBe(true);
}

describe('the page Version (N-1, S-1.2, S-2.4.16)', () => {
  it('says what runs, with its licenses, that it is well, and has settings changed, saved and reset by keyboard alone', async () => {
    const page = await openPage();
    await expectAbout(page);
    await tabTo(page, page.getByRole('tab', { name: 'What runs' }));
    await nextTab(page, 'Health');
    await expectHealth(page);
    await nextTab(page, 'Settings');
    await changeSettings(page);
    await page.goBack();
    await expectTables(page);
    await expectNotices(page);
  });

  it('changes titles and layouts on pages that are open, those of links included, each layout alone (S-2.1.14, S-2.5.14, S-2.6.5, S-3.3)', async () => {
    const [live, playback] = [await openByLink(`/live/${link}`), await openByLink(playbackPath())];
    for (const each of [live, playback]) await showsColumns(each, 4);
    const shell = await site.people.openPage('second');
    await shell.goto('/');
    const shellTitle = (title: string) => expect.poll(() => shell.title()).toBe(title);
    await shellTitle('Northern Fleet');

    const page = await openPage('?tab=settings');
    await page.getByRole('textbox', { name: 'Title' }).fill('北站 Depot');
    await page.getByRole('combobox', { name: LAYOUTS.live }).selectOption('3x3');
    await save(page);
    await showsColumns(live, 3);
    await shellTitle('北站 Depot');
    expect(await columnsOf(playback)).toBe(4);

    await page.getByRole('combobox', { name: LAYOUTS.playback }).selectOption('3x3');
    for (const name of ['Title', LAYOUTS.live]) {
      await page.getByRole('button', { name: `Reset ${name} to preset` }).click();
    }
    await save(page);
    await showsColumns(playback, 3);
    await showsColumns(live, 4);
    await shellTitle('Northern Fleet');
    await showsColumns(await openByLink(playbackPath()), 3);

    await page.getByRole('button', { name: `Reset ${LAYOUTS.playback} to preset` }).click();
    await save(page);
    await showsColumns(playback, 4);
  });
});
