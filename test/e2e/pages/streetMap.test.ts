// The dashboard's map with a street map of its own, and without one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import { townFile } from '../../../server/demo/town/townFile.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD, signIn } from '../../support/gateway/site.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const PAGE = '/innerpage/dashboard.html';
const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Lake line 1',
  number: '13800000001',
  edition: '2019',
  plate: 'KAA-0001',
  channels: 1,
  lapShare: 0.5,
};

let folder: TempFolder;
let browser: Browser;
const started: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  folder = await createTempFolder();
  // Software draws the map here; browsers with a graphics card need no flag for it.
  browser = await sharedChromium(['--enable-unsafe-swiftshader']);
});
afterAll(async () => {
  for (const each of started) await each.stop();
  await folder?.remove();
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const buses = await stores.deviceGroups.insert('Buses');
  const group = await stores.memberGroups.insert({ name: 'Lake line' });
  await stores.memberGroups.setDeviceGroups(group, [buses]);
  for (const [username, permissions] of [
    ['mei', []],
    ['chief', ['system']],
  ] as const) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [group]);
  }
  const { deviceId, name, plate, channels, number } = BUS;
  const terminal = { canonical: number, raw: number.padStart(20, '0') };
  await stores.devices.insert({ deviceId, name, plate, chn: channels, deviceGroup: buses, terminal });
}

/** A gateway with a bus that drives; both end with this file. */
async function startWithBus(environment: Readonly<Record<string, string>>): Promise<Product> {
  const product = await startProduct(fill, environment);
  const terminal = new SimulatedTerminal({ profile: BUS, gateway: { host: '127.0.0.1', port: product.jt808Port } });
  terminal.start();
  started.push({
    stop: () => {
      terminal.stop();
      return product.stop();
    },
  });
  return product;
}

interface OpenPageOptions extends BrowserContextOptions {
  readonly allowed?: readonly AllowedNoise[];
}

async function openPage(
  product: Product,
  username: string,
  { allowed = [], ...options }: OpenPageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Asia/Taipei',
    baseURL: product.address,
    ...options,
  });
  onTestFinished(() => context.close());
  await signIn(context, product.address, username);
  const page = await context.newPage();
  consoleGuard(page, allowed);
  await page.goto(PAGE);
  return page;
}

/** How many pixels of the map have this colour. */
async function pixelsOf(page: Page, colour: number): Promise<number> {
  const { data } = PNG.sync.read(await page.locator('[data-map]').screenshot());
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data.readUIntBE(at, 3) === colour) count++;
  return count;
}

const isDrawn = async (page: Page, colour: number): Promise<void> => {
  await waitFor(
    `the colour ${colour.toString(16)} on the map`,
    () => pixelsOf(page, colour),
    (pixels) => pixels > 200,
    30_000,
  );
};

const SMALL_STREET = { light: 0xffffff, dark: 0x4a5663 };
const LARGE_STREET = { light: 0xfbe3a8, dark: 0x6f6347 };

describe('a street map of this site', () => {
  let product: Product;
  let path: string;
  beforeAll(async () => {
    path = join(folder.path, 'town.pmtiles');
    writeFileSync(path, townFile());
    product = await startWithBus({ MAP_PMTILES: path });
  });

  it.each(['light', 'dark'] as const)('is drawn where vehicles drive, in %s colours', async (colorScheme) => {
    const page = await openPage(product, 'mei', { colorScheme });
    await page.locator('[data-background="streets"]').waitFor({ timeout: 30_000 });
    await isDrawn(page, LARGE_STREET[colorScheme]);
    await isDrawn(page, SMALL_STREET[colorScheme]);
    await page.locator('.maplibregl-ctrl-attrib', { hasText: 'Fictional town' }).waitFor({ state: 'attached' });
    await expect.poll(() => page.getByText('No street map is set up.').count()).toBe(0);
  });

  it('opens the page to no other site', async () => {
    const policyOf = async (): Promise<string> =>
      (await fetch(product.address + PAGE)).headers.get('content-security-policy') ?? '';
    expect(await policyOf()).toContain("connect-src 'self';");
    expect(await policyOf()).toContain("img-src 'self' data: blob:;");
  });

  it('leaves the outlines and a word of it behind when its file is spoilt', async () => {
    writeFileSync(path, 'no map any more');
    const allowed = [{ url: /\/api\/dashboard\/map\/file$/, status: 503 }];
    const page = await openPage(product, 'mei', { allowed });
    await page.locator('[data-background="streets-stand-in"]').waitFor({ timeout: 30_000 });
    await page.getByText("Can't read the street map. A simple world map is shown instead.").waitFor();
    expect(product.log()).toContain('it is no PMTiles file');
  });
});

describe('a map without streets', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startWithBus({});
  });

  it('says so where a reader expects streets, and can be told to be quiet', async () => {
    const page = await openPage(product, 'mei');
    await page.locator('[data-background="built-in"]').waitFor({ timeout: 30_000 });
    const notice = page.getByRole('alert').filter({ hasText: 'No street map is set up.' });
    await notice.waitFor({ timeout: 30_000 });
    await expect.poll(() => notice.textContent()).not.toContain('MAP_PMTILES');
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('tells an administrator what to set', async () => {
    const page = await openPage(product, 'chief');
    const notice = page.getByRole('alert').filter({ hasText: 'Set MAP_PMTILES' });
    await notice.waitFor({ timeout: 30_000 });
    for (let click = 0; click < 8; click++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await notice.waitFor({ state: 'detached', timeout: 30_000 });
  });
});
