// The device group page on the built gateway: groups, terminals, two administrators, an import, and the license at its limit.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Stores } from '../../../server/store/stores.ts';
import type { GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';
import { SERVER_SETTINGS_PATH, type ServerSettings } from '../../../shared/protocol/api/system/settings.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { focusOn, pressOn } from '../../support/browser/keyboard.ts';
import { searchTable } from '../../support/browser/searchTable.ts';
import type { PageOptions } from '../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../support/gateway/peopleSite.ts';
import { waitFor } from '../../support/waitFor.ts';

const VEHICLE: VehicleProfile = {
  deviceId: 'KEE',
  name: 'Keelung van',
  number: '13800000042',
  edition: '2019',
  plate: 'KEE-0042',
  channels: 1,
  lapShare: 0,
};
const PAGE = '/innerpage/devicegroup.html';

const BUSES = 10;
/** The devices that there are, and two that are imported. */
const LICENSED = BUSES + 3;

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(fill, { MAX_LICENSE: String(LICENSED) });
});
afterAll(() => site?.close());

async function fill(stores: Stores): Promise<void> {
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  const north = await stores.deviceGroups.insert('North');
  await stores.memberGroups.setDeviceGroups(memberGroup, [north]);
  for (const username of ['mei', 'kenji'])
    await stores.memberGroups.setGroupsOfUser(await addChief(stores, username), [memberGroup]);
  const { deviceId, name, plate, channels, number } = VEHICLE;
  const terminal = { canonical: number, raw: number.padStart(20, '0') };
  await stores.devices.insert({ deviceId, name, plate, chn: channels, deviceGroup: north, terminal });
  for (let at = 1; at <= BUSES; at++) {
    const terminal = { canonical: `1390000${String(at).padStart(4, '0')}`, raw: rawNumber(at) };
    await stores.devices.insert({ deviceId: `BUS${at}`, name: `Bus ${at}`, chn: 2, deviceGroup: north, terminal });
  }
  // A terminal with the number of bus 9 that is not the one that bus 9 was adopted with, and one that nobody knows.
  await stores.devices.update('BUS9', { identity: { manufacturer: 'OLD', terminalId: 'OLD-9' } });
  const sighting = {
    edition: '2019',
    manufacturer: 'NEW',
    model: 'N1',
    plate: '',
    plateColour: 0,
    address: '192.0.2.9',
  };
  const known = { terminalId: 'NEW-9', deviceId: 'BUS9', terminal: { canonical: '13900000009', raw: rawNumber(9) } };
  const unknown = { terminalId: 'NEW-99', plate: 'KEE-99', terminal: { canonical: '13900000099', raw: rawNumber(99) } };
  for (const each of [known, unknown]) await stores.unknownTerminals.note({ ...sighting, ...each }, wallMs(Date.now()));
}

const rawNumber = (at: number): string => `01390000${String(at).padStart(4, '0')}`;

async function openPage(username: string, options: PageOptions = {}): Promise<Page> {
  const page = await site.people.openPage(username, options);
  await page.goto(PAGE);
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.locator('.MuiDataGrid-row');
const treeItem = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const centreOf = async (page: Page, name: RegExp) => {
  const box = await treeItem(page, name).boundingBox();
  if (box === null) throw new Error(`${name} is out of view`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** A group is made, moved by keyboard and renamed. */
async function makeGroup(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add group' }).click();
  await dialog(page, 'Add group').getByLabel('Group name').fill('Depot 1');
  await page.keyboard.press('Enter');
  const group = treeItem(page, /^Depot 1,/);
  await group.click();
  await expect.poll(() => group.getAttribute('aria-selected')).toBe('true');
  await page.getByText('No devices yet.').waitFor();
  await pressOn(group, 'Alt+ArrowRight');
  await expect.poll(() => group.getAttribute('aria-level')).toBe('2');
  await pressOn(group, 'F2');
  await dialog(page, 'Rename group').getByLabel('Group name').fill('Depot One');
  await page.keyboard.press('Enter');
  await treeItem(page, /^Depot One,/).waitFor();
}

/** The connection of a device is tested, until the device is disabled, which cuts it. */
async function disableDevice(page: Page, isOnline: () => boolean): Promise<void> {
  const row = rows(page).filter({ hasText: VEHICLE.plate });
  await row.getByText('Online').waitFor();
  await row.click();
  const device = dialog(page, `Device ${VEHICLE.name}`);
  await device.getByRole('tab', { name: 'Connection' }).click();
  await device.getByRole('button', { name: 'Test connection' }).click();
  await device.getByText(/^Connected\. Response time: [\d.]+ ms\.$/).waitFor();
  await device.getByText('FLGLS', { exact: true }).waitFor();
  await device.getByRole('tab', { name: 'General' }).click();
  await device.getByLabel('Disabled').check();
  await device.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Disabled').waitFor();
  await waitFor('the terminal of a disabled device is cut', () => !isOnline());
}

async function approveTerminal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Terminals awaiting approval: 2' }).click();
  const waiting = dialog(page, 'Terminals awaiting approval');
  await waiting.getByText('Current identity: manufacturer OLD, terminal ID OLD-9').waitFor();
  await page.getByRole('button', { name: 'Approve 13900000009' }).click();
  await page.getByRole('button', { name: 'Approve 13900000009' }).waitFor({ state: 'detached' });
  await waiting.getByRole('button', { name: 'Close', exact: true }).click();
  await waiting.waitFor({ state: 'detached' });
  const approved = await page.request.get('/api/devicegroup/devices/BUS9');
  expect(await approved.json()).toMatchObject({ data: { identity: { manufacturer: 'NEW', terminalId: 'NEW-9' } } });
}

it('an administrator makes a group, tests, disables and approves terminals, and moves and deletes groups', async () => {
  let isOnline = false;
  const terminal = new SimulatedTerminal({
    profile: VEHICLE,
    gateway: { host: '127.0.0.1', port: site.product.jt808Port },
    onOnline: (is) => {
      isOnline = is;
    },
  });
  terminal.start();
  onTestFinished(() => terminal.stop());
  const page = await openPage('mei');
  // This comes first, since the terminal of a disabled device knocks too.
  await approveTerminal(page);
  await disableDevice(page, () => isOnline);
  await makeGroup(page);
  await dragGroup(page);
  await deleteGroup(page);
});

async function dragGroup(page: Page): Promise<void> {
  const headers = { origin: site.product.address };
  for (const name of ['East', 'West']) {
    await page.request.post('/api/devicegroup/groups', { headers, data: { name, parent: null } });
    await treeItem(page, new RegExp(`^${name},`)).waitFor();
  }
  const tree = (await (await page.request.get('/api/devicegroup/groups')).json()) as { data: GroupTree };
  const east = tree.data.groups.find(({ name }) => name === 'East')?.id;
  await page.request.post('/api/devicegroup/devices/move', { headers, data: { deviceids: ['BUS10'], group: east } });
  await treeItem(page, /^East, devices: 1/).waitFor();

  const [from, to] = [await centreOf(page, /^East,/), await centreOf(page, /^West,/)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.locator('[role=treeitem][data-zone=into]').waitFor();
  await page.mouse.up();
  await treeItem(page, /^West, devices: 1/).waitFor();
  await expect.poll(() => treeItem(page, /^East,/).getAttribute('aria-level')).toBe('2');
}

/** A group is deleted once it is said where its devices go. */
async function deleteGroup(page: Page): Promise<void> {
  await pressOn(treeItem(page, /^West,/), 'Delete');
  const removing = page.getByRole('alertdialog', { name: 'Delete group West?' });
  await removing.getByText('Subgroups to be deleted too: 1. Devices in all of these groups: 1.').waitFor();
  await removing.getByLabel('Move devices to').fill('North');
  await page.getByRole('option', { name: 'North', exact: true }).click();
  await removing.getByRole('button', { name: 'Delete group' }).click();
  // While a dialog is open no row has a role: what is behind it is hidden.
  await removing.waitFor({ state: 'detached' });
  await treeItem(page, /^North,/).waitFor();
  await treeItem(page, /^West,/).waitFor({ state: 'detached' });
  await expect.poll(() => treeItem(page, /^East,/).count()).toBe(0);
  const moved = await page.request.get('/api/devicegroup/devices/BUS10');
  expect(await moved.json()).toMatchObject({ data: { groupName: 'North' } });
}

/** The second administrator is told, and nothing is overwritten unnoticed. */
async function editTogether(mei: Page, kenji: Page): Promise<void> {
  const open = async (page: Page) => {
    await searchTable(page, 'BUS7');
    await rows(page).filter({ hasText: 'Bus 7' }).first().click();
    return dialog(page, 'Device Bus 7');
  };
  const [first, second] = [await open(mei), await open(kenji)];
  await first.getByLabel('Name', { exact: false }).first().fill('Bus seven');
  await first.getByRole('button', { name: 'Save' }).click();
  await first.waitFor({ state: 'detached' });
  await second.getByLabel('Plate').fill('NEW-7');
  await second.getByLabel('Name', { exact: false }).first().fill('Bus VII');
  await second.getByRole('button', { name: 'Save' }).click();
  const choice = dialog(kenji, 'Another user changed this');
  await choice.getByLabel('Theirs: Bus seven (was Bus 7)').check();
  await choice.getByRole('button', { name: 'Continue' }).click();
  await second.getByRole('button', { name: 'Save' }).click();
  await second.waitFor({ state: 'detached' });
  const saved = await kenji.request.get('/api/devicegroup/devices/BUS7');
  expect(await saved.json()).toMatchObject({ data: { name: 'Bus seven', plate: 'NEW-7', version: 3 } });
}

/** Recording is set for all devices, and a device's page says what it inherits. */
async function setRecording(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Default recording' }).click();
  const common = dialog(page, 'Default recording');
  await common.getByLabel('Recording schedule').selectOption({ label: 'While the ignition is on' });
  await common.getByLabel('Retention (days)').fill('14');
  await common.getByRole('button', { name: 'Save' }).click();
  await common.waitFor({ state: 'detached' });
  await rows(page).first().locator('.MuiDataGrid-cell').nth(1).click();
  await page.getByRole('tab', { name: 'Recording' }).click();
  await page.getByText('Default: While the ignition is on · Main stream · Retention (days): 14').waitFor();
  await page.keyboard.press('Escape');
}

it('two administrators edit one device, and the recording of all devices is set', async () => {
  const conflict = { url: /\/api\/devicegroup\/devices\/BUS7$/, status: 409 };
  const kenji = await openPage('kenji', { allowed: [conflict] });
  await editTogether(await openPage('mei'), kenji);
  await setRecording(kenji);
});

const TEN_FAULTS = [
  'deviceid,name,group,terminal,channels,time_zone,disabled',
  'OK1,Good one,North,,4,Asia/Taipei,0',
  ',No id,North,,1,,',
  'A/B,Bad id,North,,1,,',
  'NONAME,,North,,1,,',
  'NOGROUP,No group,Nowhere,,1,,',
  'TWICE,First,North,,1,,',
  'TWICE,Second,North,,1,,',
  'ROUND,Rounded,North,1.38E+10,1,,',
  'TAKEN,Taken,North,13900000001,1,,',
  'MANY,Channels,North,,99,,',
  'ZONE,Zone,North,,1,Mars/Base,',
  'FLAG,Flag,North,,1,,perhaps',
  'CELLS,Cells,North',
  'BUS2,Bus 2,North,13900000002,2,,0',
  'BUS3,Bus three,North,13900000003,2,,0',
];

async function importFile(page: Page, text: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Import' }).click();
  const importing = dialog(page, 'Import devices');
  const file = { name: 'depot.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await importing.locator('input[type=file]').setInputFiles(file);
  return importing;
}

/** The file is shown row by row, and imported as shown. */
async function importFaults(page: Page): Promise<void> {
  const importing = await importFile(page, `\ufeff${TEN_FAULTS.join('\r\n')}\r\n`);
  await importing.getByText('Add: 2, change: 1, no change: 1, reject: 11').waitFor();
  await importing.getByLabel('Result').selectOption({ label: 'Reject' });
  for (const reason of [
    'deviceid: This field is required.',
    'deviceid: "A/B" has the wrong format.',
    'name: This field is required.',
    `group: Group "Nowhere" not found, or you don't have access to it.`,
    'deviceid: This device is already on line 7.',
    'terminal: A spreadsheet rounded "1.38E+10". Format the column as text and enter the value again.',
    'terminal: "13900000001" belongs to another device.',
  ]) {
    await importing.getByText(reason).waitFor();
  }
  await focusOn(importing.getByRole('group', { name: 'Rows in the file' }));
  await page.keyboard.press('End');
  for (const reason of [
    'channels: Enter a number from 0 to 32.',
    `time_zone: "Mars/Base" isn't allowed here.`,
    `disabled: "perhaps" isn't allowed here.`,
    'This row and the first line have different numbers of columns.',
  ]) {
    await importing.getByText(reason).waitFor();
  }
  await importing.getByLabel('Result').selectOption({ label: 'Change' });
  await importing.getByText('Bus three', { exact: true }).first().waitFor();
  await importing.getByRole('button', { name: 'Import (3)' }).click();
  await importing.waitFor({ state: 'detached' });
  const found = await page.request.get('/api/devicegroup/devices?search=OK1');
  expect(await found.json()).toMatchObject({
    data: { total: 1, rows: [{ name: 'Good one', chn: 4, groupName: 'North' }] },
  });
  expect((await page.request.get('/api/devicegroup/devices/A')).status()).toBe(404);
}

const FULL = "You've reached the number of licensed devices. Remove devices that aren't needed, or extend the license.";
const MORE = 'deviceid,name,group\nBUS2,Bus two,North\nMORE1,One more,North\nMORE2,Two more,North\n';

/** No device beyond the license is added, adopted or imported. */
async function expectFull(page: Page): Promise<void> {
  await treeItem(page, /^North,/).click();
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const added = dialog(page, 'Add device');
  await added.getByLabel('Device ID').fill('MORE1');
  await added.getByLabel('Name', { exact: false }).first().fill('One more');
  await added.getByRole('button', { name: 'Save' }).click();
  await added.getByText(FULL).waitFor();
  await added.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  // The terminal of the disabled device may have knocked since, too.
  await page.getByRole('button', { name: /^Terminals awaiting approval: [12]$/ }).click();
  await page.getByRole('button', { name: 'Adopt 13900000099' }).click();
  const adopt = dialog(page, 'Adopt terminal 13900000099');
  await adopt.getByRole('button', { name: 'Adopt' }).click();
  await adopt.getByText(FULL).waitFor();
  await page.goto(PAGE);

  const importing = await importFile(page, MORE);
  await importing.getByText('Add: 0, change: 1, no change: 0, reject: 2').waitFor();
  await importing.getByText(`The license allows ${LICENSED} devices, and there are as many.`).first().waitFor();
  await importing.getByRole('button', { name: 'Cancel' }).click();
}

/** The request of the page that changes the license is tested with the page Version. */
async function extendLicense(page: Page): Promise<void> {
  const { data } = (await (await page.request.get(SERVER_SETTINGS_PATH)).json()) as { data: ServerSettings };
  const { presets: _, ...settings } = data;
  const headers = { origin: site.product.address };
  const changed = await page.request.put(SERVER_SETTINGS_PATH, {
    headers,
    data: { ...settings, maxLicense: LICENSED + 1 },
  });
  expect(changed.ok()).toBe(true);
}

it('a file with ten kinds of faults is imported as shown; beyond the license nothing is added until it is extended (N-1)', async () => {
  const refused = { url: /\/api\/devicegroup\/(devices|terminals\/adopt)$/, status: 409 };
  const page = await openPage('mei', { allowed: [refused] });
  await importFaults(page);
  await expectFull(page);
  await extendLicense(page);
  const again = await importFile(page, MORE);
  await again.getByText('Add: 1, change: 1, no change: 0, reject: 1').waitFor();
  await again.getByRole('button', { name: 'Import (2)' }).click();
  await again.waitFor({ state: 'detached' });
  const found = await page.request.get('/api/devicegroup/devices?search=more');
  expect(await found.json()).toMatchObject({ data: { total: 1, rows: [{ name: 'One more' }] } });
});
