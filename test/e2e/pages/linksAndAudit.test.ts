// The tabs of links and audit on the account page: the built gateway and pages, a terminal over TCP, a foreign frame.
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { hashSecret } from '../../../server/auth/secrets.ts';
import { type Clip, loadClip } from '../../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { atBothWidths, shareInView } from '../../support/browser/looks.ts';
import { addWatchedVehicle } from '../../support/browser/watcher.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const VEHICLE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'KEE-0001',
  channels: 1,
  lapShare: 0,
};
const ACCOUNT = '/innerpage/membership.html';
const OLD_LINKS = 60;

let product: Product;
let browser: Browser;
let people: People;
let clip: Clip;

beforeAll(async () => {
  clip = await loadClip(new URL('../../../server/demo/clips/road.h264', import.meta.url));
  product = await startProduct(fill);
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function fill(stores: Stores): Promise<void> {
  // With a link of somebody else's, without a note.
  await addWatchedVehicle(stores, VEHICLE);
  await stores.devices.update('BUS1', { plate: VEHICLE.plate });
  const [group] = await stores.memberGroups.list();
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const now = Date.now();
  const user = { username: 'manager', passwordHash, permissions: ALL_PERMISSIONS };
  const ownerId = await stores.users.insert(user, wallMs(now));
  await stores.memberGroups.setGroupsOfUser(ownerId, [group?.serialno ?? 0]);
  for (let at = 0; at < OLD_LINKS; at++) {
    const link = { ownerId, deviceId: 'BUS1', channelMask: 1, kinds: ['live'], note: `case ${at}` } as const;
    await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(`${at}`) }, wallMs(now - 1_000));
  }
  const change = { before: { name: 'Bus' }, after: { name: '<img src=x onerror=alert(1)>' } };
  await stores.audit.add({ actor: 'mei', action: 'device.change', target: 'BUS1', ...change }, wallMs(now - 5_000));
}

async function openTab(tab: 'Links' | 'Audit', options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage('manager', options);
  await page.goto(`${ACCOUNT}#${tab.toLowerCase()}`);
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.locator('.MuiDataGrid-row');
const cells = (page: Page, column: string) => page.locator(`.MuiDataGrid-cell[data-field="${column}"]`);

/** The tile has a canvas, and nothing to say over it. */
async function hasPicture(frame: FrameLocator): Promise<boolean> {
  if ((await frame.locator('.video-tile canvas').count()) === 0) return false;
  return (await frame.locator('.video-tile-spinner, .video-tile-notice').count()) === 0;
}

describe('a link', () => {
  it('opens live view in a frame of another site until it is revoked, and then not any more', async () => {
    const terminal = new SimulatedTerminal({
      profile: VEHICLE,
      gateway: { host: '127.0.0.1', port: product.jt808Port },
      clip,
    });
    terminal.start();
    onTestFinished(() => terminal.stop());

    const page = await openTab('Links');
    await page.getByRole('button', { name: 'Create share link' }).click();
    const form = page.getByRole('dialog', { name: 'Create share link' });
    await form.getByRole('combobox', { name: 'Device' }).fill('kee-0001');
    await page.getByRole('option', { name: 'Bus 1 · KEE-0001 · BUS1' }).click();
    await expect.poll(() => form.getByRole('checkbox', { name: '1', exact: true }).isChecked()).toBe(true);
    await form.getByLabel('Note').fill('for the insurer');
    await form.getByRole('button', { name: 'Create' }).click();

    const made = page.getByRole('dialog', { name: 'Share link created' });
    const snippet = await made.getByLabel('Embed code', { exact: true }).inputValue();
    const plain = await made.getByLabel('Plain URL', { exact: true }).inputValue();
    expect(plain).toMatch(/\/live\/BUS1%401\/manager\/\w{27}$/);
    expect(snippet).toMatch(/<iframe src="[^"]+\/live\/[0-9a-f]{100,}"/);
    await made.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await made.getByRole('button', { name: 'Close' }).click();

    const foreign = await (await browser.newContext()).newPage();
    onTestFinished(() => foreign.context().close());
    await foreign.goto(await startHostPage(snippet));
    const frame = foreign.frameLocator('iframe');
    await waitFor(
      'a picture in the foreign frame',
      () => hasPicture(frame),
      (is) => is,
      60_000,
    );

    await waitFor(
      'the link in the list, with its use',
      async () => {
        await page.reload();
        await rows(page).first().waitFor();
        return [await cells(page, 'note').first().textContent(), await cells(page, 'uses').first().textContent()];
      },
      ([note, uses]) => note === 'for the insurer' && uses === '1',
    );
    await page.getByRole('button', { name: 'Revoke the share link of Bus 1' }).first().click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    // The running stream ends too. How soon is a matter of the gateway's, and measured there with a clock moved by hand:
    // a browser that decodes on a busy machine measures the machine.
    await frame.getByRole('alert').getByText("This link isn't valid").waitFor();
    await foreign.reload();
    await frame.getByText("This link isn't valid").first().waitFor();
  });
});

describe('the table of links', () => {
  it('pages, sorts, searches and exports by what the gateway says', async () => {
    const page = await openTab('Links');
    const pages = page.locator('.MuiTablePagination-displayedRows');
    const total = await waitFor(
      'the number of links',
      async () => Number(/of (\d+)$/.exec((await pages.textContent()) ?? '')?.[1]),
      (count) => count >= OLD_LINKS,
    );
    await page.getByRole('button', { name: 'Go to next page' }).click();
    await waitFor(
      'the second page',
      () => pages.textContent(),
      (text) => text === `51–${total} of ${total}`,
    );
    await page.getByRole('columnheader', { name: 'Note' }).click();
    await waitFor(
      'the notes in order',
      () => cells(page, 'note').allTextContents(),
      (notes) => notes.slice(0, 4).join() === ',case 0,case 1,case 10',
    );
    await expect.poll(() => pages.textContent()).toBe(`1–50 of ${total}`);
    await page.getByLabel('Search table').fill('CASE 1');
    await waitFor(
      'what was searched',
      () => pages.textContent(),
      (text) => text === '1–11 of 11',
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const stream = await (await download).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString('utf8');
    expect(text.trim().split('\r\n')).toHaveLength(12);

    await page.getByLabel('Search table').fill('nothing like this');
    await page.getByText('No results. Change the search or filters.').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await rows(page).first().waitFor();
  });

  it('remembers the columns that were chosen', async () => {
    const page = await openTab('Links', { fresh: true });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Plate number' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Channels' }).click();
    await page.keyboard.press('Escape');
    const heads = async () => (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim());
    const areAsChosen = (titles: readonly string[]) => titles.includes('Plate number') && !titles.includes('Channels');
    await waitFor('the columns', heads, areAsChosen);
    await page.reload();
    await waitFor('the columns after a reload', heads, areAsChosen);
  });

  it('says why it has no rows, and asks again', async () => {
    const page = await openTab('Links');
    const isList = (url: URL): boolean => url.pathname === '/api/link/links';
    await page.route(isList, (route) => route.fulfill({ json: { error: true, code: 'internal', message: 'x' } }));
    await page.getByLabel('Search table').fill('case');
    await page.getByRole('alert').getByText('The data shown may be out of date.').waitFor();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
    await page.unroute(isList);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('the audit', () => {
  it('is walked and opened with the keyboard, and shows what it holds as text', async () => {
    const page = await openTab('Audit');
    await page.getByLabel('Search table').fill('onerror');
    await waitFor(
      'the change',
      () => cells(page, 'actor').allTextContents(),
      (texts) => texts.join() === 'mei',
    );
    await page.getByLabel('Search table').focus();
    await waitFor(
      'a focused cell',
      async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => document.activeElement?.closest('[role=columnheader],[role=gridcell]') !== null);
      },
      (is) => is,
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Device changed' });
    await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
    await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show all by mei' }).click();
    await page.getByText('By mei', { exact: true }).waitFor();
  });
});

describe('both tabs', () => {
  it('show which of them is open on a phone', async () => {
    const page = await openTab('Audit', { locale: 'jp', width: 360 });
    // Unless motion is unwanted, the row scrolls to the tab over some frames, in which its arrows appear.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.reload();
    await rows(page).first().waitFor();
    await atBothWidths(page, async () => expect(await shareInView(page, '#tab-audit')).toBeGreaterThan(0.95));
  });
});
