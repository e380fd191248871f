// The pages of event types and of rules on the real gateway: what one administrator changes, another sees at once; the limits of a device
// go to its terminal. What the pages show of it all is tested without a gateway, and how they look with all pages.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { focusOn } from '../../../support/browser/keyboard.ts';
import { searchTable } from '../../../support/browser/searchTable.ts';
import { heardBy, sounding, spyOnSound } from '../../../support/browser/soundSpy.ts';
import type { PageOptions } from '../../../support/gateway/people.ts';
import { addChief, type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { waitFor } from '../../../support/waitFor.ts';

const TYPES = '/innerpage/eventdefine.html';
const RULES = '/innerpage/eventconfig.html';

/** Its terminal comes from the factory with a speed limit of 80 km/h. */
const VAN: VehicleProfile = {
  deviceId: 'VAN1',
  name: 'Van 1',
  number: '13900002001',
  edition: '2019',
  plate: 'A-2001',
  channels: 2,
  lapShare: 0,
};

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(addFleet);
});
afterAll(() => site?.close());

async function addFleet(stores: Stores): Promise<void> {
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  const north = await stores.deviceGroups.insert('North');
  await stores.memberGroups.setDeviceGroups(memberGroup, [north]);
  const added = await stores.deviceTree.add({ name: 'Harbor', parent: north, among: [] }, memberGroup);
  const harbor = added.ok ? added.group.serialno : 0;
  for (const username of ['chief', 'deputy'])
    await stores.memberGroups.setGroupsOfUser(await addChief(stores, username), [memberGroup]);
  await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 2, deviceGroup: harbor });
  const { deviceId, name, number, channels } = VAN;
  const terminal = { canonical: number, raw: number.padStart(20, '0') };
  await stores.devices.insert({ deviceId, name, chn: channels, deviceGroup: north, terminal });
  const device = await stores.devices.findByDeviceId('BUS1');
  await stores.positions.append(drive(device?.incarnation ?? 0));
}

/** An hour ago: two minutes at 80 km/h, one at 130, two at 80. */
function drive(incarnation: number): Position[] {
  const beginMs = Date.now() - 3_600_000;
  return Array.from({ length: 30 }, (_, index) => {
    const atMs = wallMs(beginMs + index * 10_000);
    const times = { deviceTimeMs: atMs, receivedAtMs: atMs };
    const place = { latitude: 25, longitude: 121 + index / 300, altitudeM: 10, headingDeg: 90 };
    const speedKmh = index >= 12 && index < 18 ? 130 : 80;
    return { deviceId: 'BUS1', incarnation, ...times, ...place, speedKmh, alarmBits: 0, statusBits: 3, extra: {} };
  });
}

async function openPage(username: 'chief' | 'deputy', address: string, options: PageOptions = {}): Promise<Page> {
  const page = await site.people.openPage(username, options);
  await spyOnSound(page);
  await page.goto(address);
  return page;
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: `${action} ${name}` }).click();
}

async function renameType(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit Vehicle theft' }).click();
  const form = page.getByRole('dialog', { name: 'Event type Vehicle theft' });
  const chinese = form.getByLabel('Name (Chinese)');
  await expect.poll(() => chinese.getAttribute('placeholder')).toBe('車輛遭竊');
  await form.getByLabel('Name (English)').fill('Stolen bus');
  await chinese.fill('公車失竊');
  await form.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'Minor' });
  await form.getByRole('radio', { name: 'Purple' }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await searchTable(page, 'Stolen');
  await rowOf(page, 'Stolen bus').getByText('Minor').waitFor();
}

async function addTypeByKeyboard(page: Page): Promise<void> {
  await focusOn(page.getByRole('button', { name: 'Add event type' }));
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Add event type' });
  await form.getByLabel('Name (English)').waitFor();
  await page.keyboard.type('Ramp lowered');
  await focusOn(form.getByLabel('Item ID'));
  await page.keyboard.type('0xE1');
  await focusOn(form.getByRole('radio', { name: 'As severity' }));
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => form.getByRole('radio', { name: 'Red' }).isChecked()).toBe(true);
  await form.getByLabel('Sound').selectOption({ label: 'Chime' });
  await focusOn(form.getByRole('button', { name: 'Play' }));
  await page.keyboard.press('Enter');
  // A chime is short: all that was heard counts, not only the last of it.
  await waitFor('the sound', async () => sounding(await heardBy(page)).length > 0);
  expect(Math.max(...(await heardBy(page)).map(({ peak }) => peak))).toBeLessThan(0.4);
  await focusOn(form.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  // What was said of the change before may still be there.
  await form.waitFor({ state: 'detached' });
  await page.getByText('Event type saved.').last().waitFor();
}

test('an event type is renamed and reset, which a page in another language follows, and one is added by keyboard and heard', async () => {
  const page = await openPage('chief', TYPES);
  const abroad = await openPage('deputy', TYPES, { locale: 'zh-TW' });
  for (const each of [page, abroad]) await searchTable(each, 'Vehicle theft');
  await rowOf(abroad, '車輛遭竊').waitFor();
  await renameType(page);
  await rowOf(abroad, '公車失竊').getByText('輕微').waitFor();
  await choose(page, 'Stolen bus', 'Reset');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await page.getByText('Event type reset.').waitFor();
  await rowOf(abroad, '車輛遭竊').getByText('危急').waitFor();

  await addTypeByKeyboard(page);
  await searchTable(page, 'Ramp');
  await rowOf(page, 'Ramp lowered').getByText('Custom').waitFor();
  await choose(page, 'Ramp lowered', 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No results. Change the search or filters.').waitFor();
});

async function editRule(page: Page, name: string): Promise<Locator> {
  await searchTable(page, name);
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Severity', { exact: true }).waitFor();
  return form;
}

test('a rule is set for a group, which its devices then say and preview, and inherited again', async () => {
  const page = await openPage('chief', RULES);
  await page.getByLabel('Settings of').selectOption('group');
  await page.getByRole('combobox', { name: 'Device group' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  const form = await editRule(page, 'Speeding');
  await form.getByLabel('Threshold (km/h)').first().fill('90');
  await form.getByLabel('Clear threshold (km/h)').first().fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rule saved.').waitFor();
  await rowOf(page, '90 km/h').getByText('Set here').waitFor();

  const device = await openPage('deputy', `${RULES}?scope=device&deviceid=BUS1`);
  await searchTable(device, 'Speeding');
  await rowOf(device, '90 km/h').getByText('North').waitFor();
  const rule = await editRule(device, 'Speeding');
  await rule.getByText('From group North').first().waitFor();
  await rule.getByRole('button', { name: 'Show preview' }).click();
  await rule.getByText('Events in the last 7 days: 1 (now: 1)').waitFor();
  await rule.getByText('Positions checked: 30').waitFor();
  const latest = rule.getByRole('list', { name: 'Latest events' });
  await expect.poll(() => latest.innerText()).toMatch(/^\d{4}-\d{2}-\d{2} [\d:]{8}$/);
  await device.keyboard.press('Escape');

  await rowOf(page, '90 km/h')
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Inherit all settings of Speeding' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Inherit all' }).click();
  await rowOf(page, '100 km/h').waitFor();
  // The other page follows by itself.
  await rowOf(device, '100 km/h').waitFor();
});

test('the limits of a device are sent to its terminal, which is asked what it has', async () => {
  const terminal = new SimulatedTerminal({
    profile: VAN,
    gateway: { host: '127.0.0.1', port: site.product.jt808Port },
  });
  onTestFinished(() => terminal.stop());
  terminal.start();
  const page = await openPage('chief', `${RULES}?scope=device&deviceid=${VAN.deviceId}&tab=limits`);
  const speed = page.getByRole('region', { name: 'Speed limit (km/h)' });
  const values = (...expected: string[]) =>
    waitFor(
      `the limits ${expected.join(' and ')}`,
      () => speed.locator('dd').allInnerTexts(),
      (shown) => shown.join() === expected.join(),
    );
  await values('–', '80');
  await page.getByRole('button', { name: 'Edit limits' }).click();
  const form = page.getByRole('dialog', { name: `Device limits of ${VAN.deviceId}` });
  await form.getByLabel('Speed limit (km/h)').fill('70');
  await form.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The terminal uses these limits.').waitFor();
  await page.getByText(/^Set by chief: \d{4}-\d{2}-\d{2} [\d:]{8}$/).waitFor();
  await values('70', '70');
  await expect.poll(() => speed.getByText('Differs').count()).toBe(0);
});
