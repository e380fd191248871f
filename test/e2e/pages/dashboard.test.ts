// The dashboard on the built gateway: terminals over TCP on one side, a browser on the other.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { anEvent } from '../../server/store/events/anEvent.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { focusOn, pressOn } from '../../support/browser/keyboard.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const PAGE = '/innerpage/dashboard.html';
const BUSES = [1, 2].map((at): VehicleProfile => {
  const number = `1380000000${at}`;
  return {
    deviceId: `BUS${at}`,
    name: `Lake line ${at}`,
    number,
    edition: '2019',
    plate: `KAA-000${at}`,
    channels: 2,
    lapShare: at / 4,
  };
});

let maps: MapSite;
let product: Product;
let people: People;
let clips: Awaited<ReturnType<typeof loadDemoClips>>;
const terminals = new Map<string, SimulatedTerminal>();

beforeAll(async () => {
  clips = await loadDemoClips();
  maps = await startMapSite();
  product = await startProduct(fill, { MAP_STYLE_URL: `${maps.address}/style.json`, MAP_ATTRIBUTION: 'Maps & Sons' });
  // Software draws the map here; browsers with a graphics card need no flag for it.
  people = peopleAt(await sharedChromium(['--enable-unsafe-swiftshader']), product.address);
  for (const bus of BUSES) drive(bus);
});
afterAll(async () => {
  for (const terminal of terminals.values()) terminal.stop();
  await people?.close();
  await product?.stop();
  await maps?.close();
});

interface MapSite {
  readonly address: string;
  /** Paths that were asked for. */
  readonly requests: readonly string[];
  isUp: boolean;
  close(): Promise<void>;
}

/** Another site with a map's style and the shapes that it is drawn from, which a worker of the page loads. */
async function startMapSite(): Promise<MapSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'application/json');
    response.statusCode = site.isUp ? 200 : 503;
    response.end(JSON.stringify(request.url === '/style.json' ? styleOf(site.address) : AREA));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    isUp: true,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [120, 23],
      [122, 23],
      [122, 25],
      [120, 23],
    ],
  ],
};

const styleOf = (address: string) => ({
  version: 8,
  sources: { area: { type: 'geojson', data: `${address}/area.json` } },
  layers: [
    { id: 'sea', type: 'background', paint: { 'background-color': '#dfe7ee' } },
    { id: 'land', type: 'fill', source: 'area', paint: { 'fill-color': '#f2efe6' } },
  ],
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
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
  const spare = await stores.devices.insert({ deviceId: 'SPARE', name: 'Spare bus', chn: 1, deviceGroup: north });
  const foreign = await stores.devices.insert({ deviceId: 'FOREIGN', name: 'Foreign bus', chn: 1, deviceGroup: south });
  const beginAtMs = Date.now() - 3_600_000;
  const added = [spare, foreign].map(({ archiveNumber }) => anEvent({ archiveNumber, beginAtMs }));
  await stores.eventLog.write({ added, changed: [], days: [] });
}

function drive(profile: VehicleProfile): void {
  const gateway = { host: '127.0.0.1', port: product.jt808Port };
  const terminal = new SimulatedTerminal({ profile, gateway, clip: clips.road });
  terminals.set(profile.deviceId, terminal);
  terminal.start();
}

async function openPage(username: 'mei' | 'chief', options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(username, options);
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

/** The list shows these devices and no others. */
async function listed(page: Page, deviceIds: readonly string[]): Promise<void> {
  await waitFor(
    `the devices ${deviceIds.join()}`,
    () => page.locator('[data-device]').evaluateAll((rows) => rows.map((each) => each.getAttribute('data-device'))),
    (shown) => shown.toSorted().join() === deviceIds.join(),
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

/** The tile of a channel plays: no spinner and no notice lies over it, and a picture is there. */
async function plays(page: Page, tile: string): Promise<void> {
  await page.locator(`${tile} canvas`).waitFor({ state: 'attached' });
  await page.locator(`${tile} :is(.video-tile-spinner, .video-tile-notice)`).waitFor({ state: 'detached' });
  await waitFor(
    `pictures of ${tile}`,
    () => coloursOf(page, tile),
    (colours) => colours > 1_000,
  );
}

/** Where a button of the panel leads to, in a window of its own, whose page isn't loaded. */
async function addressBehind(page: Page, button: string): Promise<string> {
  const popup = page.waitForEvent('popup');
  await panel(page).getByRole('button', { name: button }).click();
  const window = await popup;
  await window.waitForURL(/\/(?:playback|remote)\//, { waitUntil: 'commit' });
  const { pathname } = new URL(window.url());
  await window.close();
  return pathname;
}

describe('the dashboard', () => {
  it('counts the devices of the group, shows the list behind each card, and leads to the map, video and figures', async () => {
    const page = await openPage('mei');
    await page.context().route(/\/(?:playback|remote)\//, (route) => route.fulfill({ body: '' }));
    await expectCards(page);
    await expectFilters(page);
    await page.locator('[data-background="configured"]').waitFor({ timeout: 30_000 });
    await waitFor('the shapes of the map', () => maps.requests.includes('/area.json'));
    await page.locator('.maplibregl-ctrl-attrib', { hasText: 'Maps & Sons' }).waitFor({ state: 'attached' });
    await walkByKeyboard(page);
    await row(page, 'BUS2').click();
    await panel(page).getByRole('heading', { name: 'Lake line 2' }).waitFor();
    await expect.poll(() => panel(page).getByText('Moving').count()).toBe(1);
    await expect.poll(() => panel(page).locator('[data-channel-state="live"]').count()).toBe(2);
    await panel(page).getByRole('button', { name: 'Recordings' }).click();
    expect(await addressBehind(page, 'Play from server')).toMatch(/^\/playback\/BUS2\/\d+\/\d{10}\/mei\/\w+/);
    expect(await addressBehind(page, 'Play from device')).toMatch(/^\/remote\/BUS2@1\/300\/\d{10}\/mei\/\w+$/);
    await expectFigures(page, 0);
  });

  async function expectCards(page: Page): Promise<void> {
    await cardShows(page, 'moving', '2');
    const shown = (name: string) => card(page, name).textContent();
    expect(await Promise.all(['total', 'online', 'never', 'offline'].map(shown))).toEqual(['3', '2', '1', '0']);
  }

  async function expectFilters(page: Page): Promise<void> {
    await page.locator('[data-card="never"]').click();
    await listed(page, ['SPARE']);
    await page.locator('[data-card="never"]').click();
    await listed(page, ['BUS1', 'BUS2', 'SPARE']);
    const search = page.getByRole('searchbox');
    await search.fill('kaa-0002 north');
    await listed(page, ['BUS2']);
    await search.fill('no such thing');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await listed(page, ['BUS1', 'BUS2', 'SPARE']);
    await expect.poll(() => search.inputValue()).toBe('');
    // A card shows what it counts, whatever was looked for before.
    await search.fill('no such thing');
    await page.locator('[data-card="online"]').click();
    await listed(page, ['BUS1', 'BUS2']);
  }

  async function walkByKeyboard(page: Page): Promise<void> {
    await focusOn(page.getByRole('listbox'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Lake line 1' }).waitFor();
    // Closed by its button it leaves the focus with the list, whose keys go on from there.
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Lake line 2' }).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
  }

  /** Everybody has figures; those of the machine are for holders of `system` alone. */
  async function expectFigures(page: Page, ofMachine: 0 | 1): Promise<void> {
    await page.locator('[data-card="rate-day"]').click();
    await page.getByRole('heading', { name: 'Events by type, 24 h' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Server', exact: true }).count()).toBe(ofMachine);
    if (ofMachine === 1) await page.getByRole('progressbar', { name: 'Memory' }).waitFor();
    // A type of event leads to the devices that had it.
    await page.getByRole('button', { name: 'Speeding 1' }).click();
    await listed(page, ['SPARE']);
    await page.getByText('Speeding, 24 h').waitFor();
  }

  it('shows channels of two devices on a wall that is kept, and asks before an unsaved one is lost', async () => {
    const page = await openPage('mei');
    await cardShows(page, 'online', '2');
    await page.getByRole('tab', { name: 'Video wall' }).click();
    await page.getByRole('button', { name: 'Add wall' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lake');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Add at least one camera.').waitFor();
    await pressOn(dialog, 'Escape');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Lake');
    for (const name of ['Lake line 1', 'Lake line 2', 'Spare bus']) {
      await dialog.getByRole('combobox', { name: 'Device' }).fill(name);
      await page.getByRole('option', { name }).click();
      await dialog.getByRole('button', { name: 'Add' }).click();
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    const tile = (name: string) => `[data-wall="Lake"] section[aria-label="${name} · ch 1"]`;
    for (const name of ['Lake line 1', 'Lake line 2']) await plays(page, tile(name));
    // A device that is away leaves nobody waiting for its picture.
    await page.locator('[data-wall="Lake"]').getByText('Never connected').waitFor();
    // In a window of its own there is the wall and nothing else.
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open in new window' }).click();
    const alone = await popup;
    await alone.locator(tile('Lake line 2')).waitFor();
    await expect.poll(() => alone.locator('[data-card]').count()).toBe(0);
    await alone.close();
  });

  // Last, since it ends a terminal that the others look at.
  it('draws the outlines when the site of the map is gone, and follows a device that goes offline without a reload', async () => {
    maps.isUp = false;
    const page = await openPage('chief', { allowed: [{ url: /\/(?:style|area)\.json$/, status: 503 }] });
    await cardShows(page, 'online', '2');
    await page.getByText('A simple world map is shown instead.').waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator('[data-background="stand-in"]').count()).toBe(1);
    await expectFigures(page, 1);
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    terminals.get('BUS2')?.stop();
    await cardShows(page, 'offline', '1');
    await expect.poll(() => card(page, 'online').textContent()).toBe('1');
    await expect.poll(() => page.locator('body[data-same]').count()).toBe(1);
  });
});
