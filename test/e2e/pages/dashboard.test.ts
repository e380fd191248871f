// The dashboard on the built gateway: terminals over TCP on one side, a browser on the other.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { loadDemoClips } from '../../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { consoleGuard, launchChromium } from '../../support/chromium.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { PASSWORD, signIn } from '../../support/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const PAGE = '/innerpage/dashboard.html';
const BUSES = [1, 2].map((at): VehicleProfile => {
  const number = `1380000000${at}`;
  return {
    ...{ deviceId: `BUS${at}`, name: `Lake line ${at}`, number, edition: '2019', plate: `KAA-000${at}` },
    ...{ channels: 2, lapShare: at / 4 },
  };
});

let product: Product;
let browser: Browser;
let clips: Awaited<ReturnType<typeof loadDemoClips>>;
const terminals = new Map<string, SimulatedTerminal>();

beforeAll(async () => {
  clips = await loadDemoClips();
  product = await startProduct(fill);
  // Software draws the map here; browsers with a graphics card need no flag for it.
  browser = await launchChromium(['--enable-unsafe-swiftshader']);
  for (const bus of BUSES) drive(bus);
});
afterAll(async () => {
  for (const terminal of terminals.values()) terminal.stop();
  await browser?.close();
  await product?.stop();
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const north = await stores.deviceGroups.insert('North');
  const south = await stores.deviceGroups.insert('South');
  const group = await stores.memberGroups.insert({ name: 'Northern fleet' });
  await stores.memberGroups.setDeviceGroups(group, [north]);
  for (const [username, permissions] of [
    ['mei', []],
    ['chief', ['system']],
  ] as const) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [group]);
  }
  for (const { deviceId, name, plate, channels, number } of BUSES) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    await stores.devices.insert({ deviceId, name, plate, chn: channels, deviceGroup: north, terminal });
  }
  await stores.devices.insert({ deviceId: 'SPARE', name: 'Spare bus', chn: 1, deviceGroup: north });
  await stores.devices.insert({ deviceId: 'FOREIGN', name: 'Foreign bus', chn: 1, deviceGroup: south });
}

function drive(profile: VehicleProfile): void {
  const gateway = { host: '127.0.0.1', port: product.jt808Port };
  const terminal = new SimulatedTerminal({ profile, gateway, clip: clips.road });
  terminals.set(profile.deviceId, terminal);
  terminal.start();
}

async function openPage(username = 'mei', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 800 }, locale: 'en-US', timezoneId: 'Asia/Taipei', baseURL: product.address },
    ...options,
  });
  onTestFinished(() => context.close());
  await signIn(context, product.address, username);
  const page = await context.newPage();
  consoleGuard(page);
  await page.goto(PAGE);
  return page;
}

const card = (page: Page, name: string) => page.locator(`[data-card="${name}"] > span`).first();
const row = (page: Page, deviceId: string) => page.locator(`[data-device="${deviceId}"]`);
const panel = (page: Page) => page.locator('[data-panel]');

async function cardShows(page: Page, name: string, text: string): Promise<void> {
  await waitFor(
    `${name}: ${text}`,
    () => card(page, name).textContent(),
    (shown) => shown === text,
    20_000,
  );
}

/** Whether a picture stands there: a black or plain tile has a handful of colours, a camera's picture thousands. */
async function coloursOf(page: Page, selector: string): Promise<number> {
  const { data } = PNG.sync.read(await page.locator(selector).first().screenshot());
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 4) colours.add(data.readUInt32BE(at));
  return colours.size;
}

describe('the dashboard', { timeout: 60_000 }, () => {
  it('counts the devices of the group, and each card shows the list behind it', async () => {
    const page = await openPage();
    await cardShows(page, 'moving', '2');
    const shown = async (name: string) => Number(await card(page, name).textContent());
    expect(await shown('total')).toBe(3);
    expect(await shown('online')).toBe(2);
    expect(await shown('never')).toBe(1);
    expect(await shown('offline')).toBe(0);
    await page.locator('[data-card="never"]').click();
    await row(page, 'SPARE').waitFor();
    expect(await page.locator('[data-device]').count()).toBe(1);
    await page.locator('[data-card="never"]').click();
    expect(await page.locator('[data-device="FOREIGN"]').count()).toBe(0);
    await page.getByRole('searchbox').fill('kaa-0002 north');
    await waitFor(
      'one row',
      () => page.locator('[data-device]').count(),
      (count) => count === 1,
    );
    await row(page, 'BUS2').waitFor();
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('No device fits the search and the filters.').waitFor();
  });

  it('leads from the list to the map, and from there to live pictures', async () => {
    const page = await openPage();
    await cardShows(page, 'moving', '2');
    await page.locator('[data-map="ready"]').waitFor({ timeout: 30_000 });
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Lake line 1' }).waitFor();
    expect(await panel(page).getByText('Moving').count()).toBe(1);
    await waitFor(
      'both cameras',
      () => panel(page).locator('[data-channel-state="live"]').count(),
      (count) => count === 2,
    );
    const popup = page.waitForEvent('popup');
    await panel(page).getByRole('button', { name: 'Live view' }).click();
    const live = await popup;
    await live.waitForURL(/\/live\/BUS1\/mei\//);
    await waitFor(
      'pictures',
      () => coloursOf(live, '.video-tile'),
      (colours) => colours > 1_000,
      30_000,
    );
    await live.close();
  });

  it('opens recordings at a chosen time', async () => {
    const page = await openPage();
    await cardShows(page, 'moving', '2');
    await row(page, 'BUS2').click();
    await panel(page).getByRole('button', { name: 'Recordings' }).click();
    const opened = async (button: string): Promise<URL> => {
      const popup = page.waitForEvent('popup');
      await panel(page).getByRole('button', { name: button }).click();
      const window = await popup;
      await window.waitForURL(/\/(?:playback|remote)\//);
      const url = new URL(window.url());
      await window.close();
      return url;
    };
    expect((await opened('Play what the server recorded')).pathname).toMatch(
      /^\/playback\/BUS2\/\d+\/\d{10}\/mei\/\w+/,
    );
    expect((await opened('Play what the device recorded')).pathname).toMatch(
      /^\/remote\/BUS2@1\/300\/\d{10}\/mei\/\w+$/,
    );
  });

  it('shows channels of two devices on a wall that is kept', async () => {
    const page = await openPage();
    await cardShows(page, 'online', '2');
    await page.getByRole('tab', { name: 'Camera wall' }).click();
    await page.getByRole('button', { name: 'New wall' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lake');
    for (const name of ['Lake line 1', 'Lake line 2']) {
      await dialog.getByRole('combobox', { name: 'Device' }).fill(name);
      await page.getByRole('option', { name }).click();
      await dialog.getByRole('button', { name: 'Add' }).click();
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    const tile = (name: string) => `[data-wall="Lake"] section[aria-label="${name} · ch 1"]`;
    for (const name of ['Lake line 1', 'Lake line 2']) {
      await waitFor(
        `pictures of ${name}`,
        () => coloursOf(page, tile(name)),
        (colours) => colours > 1_000,
        30_000,
      );
    }
    await page.goto(`${PAGE}#wall=Lake`);
    await page.reload();
    await page.locator(tile('Lake line 2')).waitFor();
  });

  it('shows figures to everybody, those of the machine to holders of system alone', async () => {
    for (const [user, count] of [
      ['mei', 0],
      ['chief', 1],
    ] as const) {
      const page = await openPage(user);
      await page.locator('[data-card="rate-day"]').click();
      await page.getByRole('heading', { name: 'Alarms of the last 24 hours, by kind' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Machine' }).count()).toBe(count);
      if (count === 1) await page.getByRole('progressbar', { name: 'Memory' }).waitFor();
    }
  });

  it.each([
    ['en-US', 'light'],
    ['zh-TW', 'dark'],
    ['ja-JP', 'light'],
  ] as const)('is accessible in %s, %s, on a phone and on a desk', async (locale, colorScheme) => {
    const page = await openPage('chief', { locale, colorScheme });
    await cardShows(page, 'moving', '2');
    await row(page, 'BUS1').click();
    await page.locator('[data-map="ready"]').waitFor({ timeout: 30_000 });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const tabs = page.getByRole('tab');
      for (let at = 0; at < (await tabs.count()); at++) {
        await tabs.nth(at).click();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          `${width} ${at}`,
        ).toEqual([]);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  });

  // Last, since it ends a terminal that the others look at.
  it('changes its cards without a reload when a device goes offline', async () => {
    const page = await openPage();
    await cardShows(page, 'online', '2');
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    terminals.get('BUS2')?.stop();
    await cardShows(page, 'offline', '1');
    expect(await card(page, 'online').textContent()).toBe('1');
    expect(await page.locator('body[data-same]').count()).toBe(1);
  });
});
