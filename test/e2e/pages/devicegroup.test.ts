// The device group page on the built gateway: groups, a terminal that knocks over TCP, two administrators, an import.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import type { Stores } from '../../../server/store/stores.ts';
import type { GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { searchTable } from '../../support/browser/searchTable.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const VEHICLE: VehicleProfile = {
  deviceId: 'unused',
  name: 'unused',
  number: '13800000042',
  edition: '2019',
  plate: 'KEE-0042',
  channels: 1,
  lapShare: 0,
};
const PAGE = '/innerpage/devicegroup.html';

/** More than a window shows, and few enough to be looked at one by one. */
const DEVICES = 24;

let product: Product;
let browser: Browser;
let people: People;
beforeAll(async () => {
  product = await startProduct(fill);
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  const north = await stores.deviceGroups.insert('North');
  await stores.memberGroups.setDeviceGroups(memberGroup, [north]);
  for (const username of ['mei', 'kenji']) {
    const user = { username, passwordHash, permissions: ALL_PERMISSIONS };
    const id = await stores.users.insert(user, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
  }
  for (let at = 1; at <= DEVICES; at++) {
    const terminal = {
      canonical: `1390000${String(at).padStart(4, '0')}`,
      raw: `01390000${String(at).padStart(4, '0')}`,
    };
    await stores.devices.insert({ deviceId: `BUS${at}`, name: `Bus ${at}`, chn: 2, deviceGroup: north, terminal });
  }
  // A terminal with the number of bus 9 that is not the one that bus 9 was adopted with.
  await stores.devices.update('BUS9', { identity: { manufacturer: 'OLD', terminalId: 'OLD-9' } });
  const sighting = {
    edition: '2019',
    manufacturer: 'NEW',
    model: 'N1',
    terminalId: 'NEW-9',
    plate: '',
    plateColour: 0,
    address: '192.0.2.9',
    deviceId: 'BUS9',
    terminal: { canonical: '13900000009', raw: '013900000009' },
  };
  await stores.unknownTerminals.note(sighting, wallMs(Date.now()));
}

async function openPage(username: string, options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(username, options);
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

it('an administrator makes groups, moves one by keyboard, and adopts the terminal that knocked', async () => {
  const page = await openPage('mei');
  await page.getByRole('button', { name: 'Add group' }).click();
  await dialog(page, 'Add group').getByLabel('Group name').fill('Depot 1');
  await page.keyboard.press('Enter');
  await treeItem(page, /^Depot 1,/).click();
  await expect.poll(() => treeItem(page, /^Depot 1,/).getAttribute('aria-selected')).toBe('true');
  await page.getByText('No devices yet.').waitFor();

  await treeItem(page, /^Depot 1,/).press('Alt+ArrowRight');
  await waitFor(
    'the group lies in North',
    async () => (await treeItem(page, /^Depot 1,/).getAttribute('aria-level')) === '2',
    (is) => is,
  );
  await treeItem(page, /^Depot 1,/).press('F2');
  await dialog(page, 'Rename group').getByLabel('Group name').fill('Depot One');
  await page.keyboard.press('Enter');
  await treeItem(page, /^Depot One,/).waitFor();

  let isOnline = false;
  const terminal = new SimulatedTerminal({
    profile: VEHICLE,
    gateway: { host: '127.0.0.1', port: product.jt808Port },
    onOnline: (is) => {
      isOnline = is;
    },
  });
  terminal.start();
  onTestFinished(() => terminal.stop());
  await page.getByRole('button', { name: 'Terminals awaiting approval: 2' }).click({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Adopt 13800000042' }).click();
  const adopt = dialog(page, 'Adopt terminal 13800000042');
  await expect.poll(() => adopt.getByLabel('Plate').inputValue()).toBe('KEE-0042');
  await expect.poll(() => adopt.getByLabel('Group').inputValue()).toBe('North / Depot One');
  await adopt.getByRole('button', { name: 'Adopt' }).click();
  const row = rows(page).filter({ hasText: 'KEE-0042' });
  await row.getByText('Online').waitFor({ timeout: 60_000 });

  await row.click();
  const device = dialog(page, 'Device KEE-0042');
  await device.getByRole('tab', { name: 'Connection' }).click();
  await device.getByRole('button', { name: 'Test connection' }).click();
  await device.getByText(/^Connected\. Response time: [\d.]+ ms\.$/).waitFor();
  await device.getByText('FLGLS', { exact: true }).waitFor();
  await device.getByRole('tab', { name: 'General' }).click();
  await device.getByLabel('Disabled').check();
  await device.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Disabled').waitFor();
  await waitFor(
    'the terminal of a disabled device is cut',
    () => isOnline,
    (is) => !is,
    30_000,
  );

  await page.getByRole('button', { name: 'Terminals awaiting approval: 1' }).click({ timeout: 60_000 });
  await dialog(page, 'Terminals awaiting approval')
    .getByText('Current identity: manufacturer OLD, terminal ID OLD-9')
    .waitFor();
  await page.getByRole('button', { name: 'Approve 13900000009' }).click();
  await page.getByText('No terminals awaiting approval.').waitFor();
  const approved = await page.request.get('/api/devicegroup/devices/BUS9');
  expect(await approved.json()).toMatchObject({ data: { identity: { manufacturer: 'NEW', terminalId: 'NEW-9' } } });
}, 120_000);

it('a group is dragged into another, and deleted when it is said where its devices go', async () => {
  const page = await openPage('mei');
  const headers = { origin: product.address };
  for (const name of ['East', 'West']) {
    await page.request.post('/api/devicegroup/groups', { headers, data: { name, parent: null } });
    await treeItem(page, new RegExp(`^${name},`)).waitFor();
  }
  const tree = (await (await page.request.get('/api/devicegroup/groups')).json()) as { data: GroupTree };
  const east = tree.data.groups.find(({ name }) => name === 'East')?.id;
  await page.request.post('/api/devicegroup/devices/move', { headers, data: { deviceids: ['BUS24'], group: east } });
  await treeItem(page, /^East, devices: 1/).waitFor();

  const [from, to] = [await centreOf(page, /^East,/), await centreOf(page, /^West,/)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.locator('[role=treeitem][data-zone=into]').waitFor();
  await page.mouse.up();
  await treeItem(page, /^West, devices: 1/).waitFor();
  await expect.poll(() => treeItem(page, /^East,/).getAttribute('aria-level')).toBe('2');

  await treeItem(page, /^West,/).press('Delete');
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
  const moved = await page.request.get('/api/devicegroup/devices/BUS24');
  expect(await moved.json()).toMatchObject({ data: { groupName: 'North' } });
}, 120_000);

it('the recording of all devices is set, and what a device inherits is said on its page', async () => {
  const page = await openPage('mei');
  await page.getByRole('button', { name: 'Default recording' }).click();
  const common = dialog(page, 'Default recording');
  await common.getByLabel('Recording schedule').selectOption({ label: 'While the ignition is on' });
  await common.getByLabel('Retention (days)').fill('14');
  await common.getByRole('button', { name: 'Save' }).click();
  await common.waitFor({ state: 'detached' });
  await rows(page).first().locator('.MuiDataGrid-cell').nth(1).click();
  await page.getByRole('tab', { name: 'Recording' }).click();
  await page.getByText('Default: While the ignition is on · Main stream · Retention (days): 14').waitFor();
});

it('two administrators edit one device: the second is told, and nothing is overwritten unseen', async () => {
  const conflict = { url: /\/api\/devicegroup\/devices\/BUS7$/, status: 409 };
  const mei = await openPage('mei');
  const kenji = await openPage('kenji', { allowed: [conflict] });
  const open = async (page: Page) => {
    await searchTable(page, 'BUS7');
    await rows(page)
      .filter({ hasText: /Bus 7(?!\d)/ })
      .first()
      .click();
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
}, 120_000);

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

it('a file with ten kinds of faults is shown row by row, and imported as shown', async () => {
  const page = await openPage('mei');
  await page.getByRole('button', { name: 'Import' }).click();
  const importing = dialog(page, 'Import devices');
  const buffer = Buffer.from(`\ufeff${TEN_FAULTS.join('\r\n')}\r\n`);
  await importing.locator('input[type=file]').setInputFiles({ name: 'depot.csv', mimeType: 'text/csv', buffer });
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
  await importing.getByRole('group', { name: 'Rows in the file' }).focus();
  await page.keyboard.press('End');
  for (const reason of [
    'channels: Enter a smaller number.',
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
});
