// The dashboard's map with a street map of its own site. How pages without one say so stands in the journey, and with the notices.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { townFile } from '../../../simulator/town/townFile.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
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
let path: string;
let product: Product;
let people: People;
let terminal: SimulatedTerminal;
beforeAll(async () => {
  folder = await createTempFolder();
  path = join(folder.path, 'town.pmtiles');
  writeFileSync(path, townFile());
  product = await startProduct(fill, { MAP_PMTILES: path });
  // Software draws the map here; browsers with a graphics card need no flag for it.
  people = peopleAt(await sharedChromium(['--enable-unsafe-swiftshader']), product.address);
  terminal = new SimulatedTerminal({ profile: BUS, gateway: { host: '127.0.0.1', port: product.jt808Port } });
  terminal.start();
});
afterAll(async () => {
  terminal?.stop();
  await people?.close();
  await product?.stop();
  await folder?.remove();
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
  const buses = await stores.deviceGroups.insert('Buses');
  const group = await stores.memberGroups.insert({ name: 'Lake line' });
  await stores.memberGroups.setDeviceGroups(group, [buses]);
  const id = await stores.users.insert({ username: 'mei', passwordHash, permissions: [] }, wallMs(Date.now()));
  await stores.memberGroups.setGroupsOfUser(id, [group]);
  const { deviceId, name, plate, channels, number } = BUS;
  const terminal = { canonical: number, raw: number.padStart(20, '0') };
  await stores.devices.insert({ deviceId, name, plate, chn: channels, deviceGroup: buses, terminal });
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

it('a street map of this site is drawn where vehicles drive, in light and dark colours, until its file is spoilt', async () => {
  const allowed = [{ url: /\/api\/dashboard\/map\/file$/, status: 503 }];
  const page = await people.openPage('mei', { allowed });
  await page.goto(PAGE);
  await page.locator('[data-background="streets"]').waitFor({ timeout: 30_000 });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await isDrawn(page, LARGE_STREET[scheme]);
    await isDrawn(page, SMALL_STREET[scheme]);
  }
  await page.locator('.maplibregl-ctrl-attrib', { hasText: 'Fictional town' }).waitFor({ state: 'attached' });
  await expect.poll(() => page.getByText('No street map is set up.').count()).toBe(0);

  writeFileSync(path, 'no map any more');
  await page.reload();
  await page.locator('[data-background="streets-stand-in"]').waitFor({ timeout: 30_000 });
  await page.getByText("Can't read the street map. A simple world map is shown instead.").waitFor();
  expect(product.log()).toContain('it is no PMTiles file');
});

it('a street map of this site opens the page to no other site', async () => {
  const policy = (await fetch(product.address + PAGE)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("img-src 'self' data: blob:;");
});
