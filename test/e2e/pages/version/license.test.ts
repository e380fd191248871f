// The license at its limit: adding, adopting and importing on the device group page, and a larger license on the page Version.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';

const DEVICES = '/innerpage/devicegroup.html';
const FULL = "You've reached the number of licensed devices. Remove devices that aren't needed, or extend the license.";
const REFUSED = { url: /\/api\/devicegroup\/(devices|terminals\/adopt)$/, status: 409 };

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(fill, { MAX_LICENSE: '2' });
});
afterAll(() => site?.close());

async function fill(stores: Stores): Promise<void> {
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  const north = await stores.deviceGroups.insert('North');
  await stores.memberGroups.setDeviceGroups(memberGroup, [north]);
  await stores.memberGroups.setGroupsOfUser(await addChief(stores, 'mei'), [memberGroup]);
  for (const deviceId of ['BUS1', 'BUS2'])
    await stores.devices.insert({ deviceId, name: deviceId, chn: 1, deviceGroup: north });
  const knock = {
    edition: '2019',
    manufacturer: 'NEW',
    model: 'N1',
    terminalId: 'NEW-9',
    plate: 'KEE-9',
    plateColour: 0,
  };
  const terminal = { canonical: '13900000009', raw: '013900000009' };
  await stores.unknownTerminals.note({ ...knock, address: '192.0.2.9', terminal }, wallMs(Date.now()));
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function importFile(page: Page) {
  await page.getByRole('button', { name: 'Import' }).click();
  const importing = dialog(page, 'Import devices');
  const buffer = Buffer.from('deviceid,name,group\nBUS1,Bus one,North\nBUS3,Bus three,North\nBUS4,Bus four,North\n');
  await importing.locator('input[type=file]').setInputFiles({ name: 'depot.csv', mimeType: 'text/csv', buffer });
  return importing;
}

it('no device beyond the license is added, adopted or imported, and one more after it was extended (N-1)', async () => {
  const page = await site.people.openPage('mei', { allowed: [REFUSED] });
  await page.goto(DEVICES);
  await page.getByRole('treeitem', { name: /^North,/ }).click();
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const added = dialog(page, 'Add device');
  await added.getByLabel('Device ID').fill('BUS3');
  await added.getByLabel('Name', { exact: false }).first().fill('Bus three');
  await added.getByRole('button', { name: 'Save' }).click();
  await added.getByText(FULL).waitFor();
  await added.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  await page.getByRole('button', { name: 'Terminals awaiting approval: 1' }).click();
  await page.getByRole('button', { name: 'Adopt 13900000009' }).click();
  const adopt = dialog(page, 'Adopt terminal 13900000009');
  await adopt.getByRole('button', { name: 'Adopt' }).click();
  await adopt.getByText(FULL).waitFor();
  await page.goto(DEVICES);

  const importing = await importFile(page);
  await importing.getByText('Add: 0, change: 1, no change: 0, reject: 2').waitFor();
  await importing.getByText('The license allows 2 devices, and there are as many.').first().waitFor();

  await page.goto('/innerpage/version.html?tab=settings');
  await page.getByRole('textbox', { name: 'Licensed devices' }).fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').first().waitFor();
  await page.goto(DEVICES);
  const again = await importFile(page);
  await again.getByText('Add: 1, change: 1, no change: 0, reject: 1').waitFor();
  await again.getByRole('button', { name: 'Import (2)' }).click();
  await again.waitFor({ state: 'detached' });
  await page.getByText('Bus three').first().waitFor();
  await expect.poll(() => page.getByText('Bus four').count()).toBe(0);
});
