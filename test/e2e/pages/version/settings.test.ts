// The settings of the installation on the page Version: the built gateway and pages, with a live page of a link open meanwhile.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { VehicleProfile } from '../../../../server/demo/vehicleProfile.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { addWatchedVehicle } from '../../../support/browser/watcher.ts';
import { newPage, type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { waitFor } from '../../../support/waitFor.ts';

const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'KEE-0001',
  channels: 8,
  lapShare: 0,
};
const SETTINGS = '/innerpage/version.html?tab=settings';
const MEMBERS = ['chief', 'second'] as const;

let product: Product;
let people: People;
let link = '';

beforeAll(async () => {
  product = await startProduct(fill, { WEB_TITLE: 'Northern Fleet', MAX_LICENSE: '25' });
  people = peopleAt(await sharedChromium(), product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function fill(stores: Stores): Promise<void> {
  link = await addWatchedVehicle(stores, BUS, ['live', 'playback']);
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  for (const username of MEMBERS) {
    await stores.users.insert({ username, passwordHash, permissions: ALL_PERMISSIONS }, wallMs(Date.now()));
  }
}

async function openSettings(member: (typeof MEMBERS)[number] = 'chief', options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(member, options);
  await page.goto(SETTINGS);
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  return page;
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').first().waitFor();
};

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
  const page = await newPage(await people.strangersContext(), { width: 1600, height: 900 });
  await page.goto(path);
  return page;
}

/** Of the same link; nothing is recorded. */
function playbackPath(): string {
  const [device, user, credential] = link.split('/');
  return `/playback/${device}/0/2026-11-20T14:03:05Z/${user}/${credential}`;
}

describe('settings of the installation (N-1, S-2.4.16)', () => {
  it('change titles and layouts on pages that are open, those of links included (S-2.1.14, S-2.5.14, S-3.3)', async () => {
    const live = await openByLink(`/live/${link}`);
    await showsColumns(live, 4);
    const shell = await people.openPage('second');
    await shell.goto('/');
    await waitFor(
      'the preset title',
      () => shell.title(),
      (title) => title === 'Northern Fleet',
    );

    const page = await openSettings();
    await page.getByRole('textbox', { name: 'Title' }).fill('北站 Depot');
    await page.getByRole('combobox', { name: 'Live view of 7 or 8 channels' }).selectOption('3x3');
    await save(page);
    await showsColumns(live, 3);
    await waitFor(
      'the title that was set',
      () => shell.title(),
      (title) => title === '北站 Depot',
    );

    for (const name of ['Title', 'Live view of 7 or 8 channels']) {
      await page.getByRole('button', { name: `Reset ${name} to preset` }).click();
    }
    await save(page);
    await showsColumns(live, 4);
    await waitFor(
      'the preset title again',
      () => shell.title(),
      (title) => title === 'Northern Fleet',
    );
  });

  it('change the layout of playback alone, on a page that is open and on one that is opened after it (S-2.6.5)', async () => {
    const layouts = { live: 'Live view of 7 or 8 channels', playback: 'Playback of 7 or 8 channels' } as const;
    const playback = await openByLink(playbackPath());
    await showsColumns(playback, 4);
    const page = await openSettings();
    await page.getByRole('combobox', { name: layouts.playback }).selectOption('3x3');
    await save(page);
    await showsColumns(playback, 3);
    await showsColumns(await openByLink(playbackPath()), 3);
    await showsColumns(await openByLink(`/live/${link}`), 4);

    // The other way round: the setting of the live view changes nothing here.
    await page.getByRole('combobox', { name: layouts.live }).selectOption('3x3');
    await page.getByRole('button', { name: `Reset ${layouts.playback} to preset` }).click();
    await save(page);
    await showsColumns(playback, 4);
    await showsColumns(await openByLink(playbackPath()), 4);
    await page.getByRole('button', { name: `Reset ${layouts.live} to preset` }).click();
    await save(page);
  });

  it('keep what two administrators want', async () => {
    const one = await openSettings('chief');
    const other = await openSettings('second', { allowed: [{ url: /\/api\/version\/settings$/, status: 409 }] });
    await other.getByRole('textbox', { name: 'License expires (UTC)' }).fill('2027-01-31');
    await one.getByRole('textbox', { name: 'Licensed devices' }).fill('40');
    await save(one);
    await other.getByRole('button', { name: 'Save' }).click();
    const dialog = other.getByRole('dialog', { name: 'Another user changed this' });
    await dialog.getByText('Theirs: 40 (was Preset)').waitFor();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await save(other);
    await waitFor(
      'both',
      () => one.getByRole('textbox', { name: 'License expires (UTC)' }).inputValue(),
      (day) => day === '2027-01-31',
    );
    await expect.poll(() => one.getByRole('textbox', { name: 'Licensed devices' }).inputValue()).toBe('40');
  });
});
