// The page of rules on the real gateway: whose settings are seen and changed, where values come from, and each other's edits.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { searchTable } from '../../support/browser/searchTable.ts';
import { type PageOptions, type People, peopleAt } from '../../support/gateway/people.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const PAGE = '/innerpage/eventconfig.html';
const USERS = {
  chief: ALL_PERMISSIONS,
  deputy: ALL_PERMISSIONS,
} as const;

/** Vehicles whose terminals sign in. They come from the factory with a speed limit of 80 km/h. */
const OBEDIENT: VehicleProfile = {
  deviceId: 'VAN1',
  name: 'Van 1',
  number: '13900002001',
  edition: '2019',
  plate: 'A-2001',
  channels: 2,
  lapShare: 0,
};
const REFUSING: VehicleProfile = {
  ...OBEDIENT,
  deviceId: 'VAN2',
  name: 'Van 2',
  number: '13900002002',
  quirks: { refusals: { setParameters: GeneralResult.Failed } },
};

let product: Product;
let browser: Browser;
let people: People;
beforeAll(async () => {
  product = await startProduct(addFleet);
  browser = await sharedChromium();
  people = peopleAt(browser, product.address);
});
afterAll(async () => {
  await people?.close();
  await product?.stop();
});

async function addFleet(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  const north = await stores.deviceGroups.insert('North');
  await stores.memberGroups.setDeviceGroups(memberGroup, [north]);
  const added = await stores.deviceTree.add({ name: 'Harbor', parent: north, among: [] }, memberGroup);
  const harbor = added.ok ? added.group.serialno : 0;
  for (const [username, permissions] of Object.entries(USERS)) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
  }
  await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 2, deviceGroup: harbor });
  for (const { deviceId, name, number, channels } of [OBEDIENT, REFUSING]) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    await stores.devices.insert({ deviceId, name, chn: channels, deviceGroup: north, terminal });
  }
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

async function openPage(username: keyof typeof USERS, address = PAGE, options: PageOptions = {}): Promise<Page> {
  const page = await people.openPage(username, options);
  await page.goto(address);
  return page;
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

async function edit(page: Page, name: string): Promise<Locator> {
  await searchTable(page, name);
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Severity', { exact: true }).waitFor();
  return form;
}

async function save(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Save' }).click();
}

describe('a rule', () => {
  test('is set for a group, which its devices then say, and inherited again', async () => {
    const page = await openPage('chief');
    await page.getByLabel('Settings of').selectOption('group');
    await page.getByRole('combobox', { name: 'Device group' }).click();
    await page.getByRole('option', { name: 'North' }).click();
    const form = await edit(page, 'Speeding');
    await form.getByLabel('Threshold (km/h)').first().fill('90');
    await form.getByLabel('Clear threshold (km/h)').first().fill('');
    await save(form);
    await page.getByText('Rule saved.').waitFor();
    await rowOf(page, '90 km/h').getByText('Set here').waitFor();

    const device = await openPage('deputy', `${PAGE}?scope=device&deviceid=BUS1`);
    await searchTable(device, 'Speeding');
    await rowOf(device, '90 km/h').getByText('North').waitFor();
    const rule = await edit(device, 'Speeding');
    await rule.getByText('From group North').first().waitFor();
    await device.keyboard.press('Escape');

    await rowOf(page, '90 km/h').getByRole('button', { name: 'more' }).click();
    await page.getByRole('menuitem', { name: 'Inherit all settings of Speeding' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Inherit all' }).click();
    await rowOf(page, '100 km/h').waitFor();
    // The other page follows by itself.
    await rowOf(device, '100 km/h').waitFor();
  });

  test('that two administrators change is told to both, and nothing is lost', async () => {
    const allowed = [{ url: /\/api\/eventconfig\/rules/, status: 409 }];
    const [one, two] = [await openPage('chief'), await openPage('deputy', PAGE, { allowed })];
    const [first, second] = [await edit(one, 'Idling'), await edit(two, 'Idling')];
    await first.getByLabel('Minimum duration (min)').first().fill('10');
    await save(first);
    await rowOf(one, '10 min').waitFor();
    await second.getByLabel('Minimum duration (min)').first().fill('15');
    await second.getByLabel('Severity', { exact: true }).selectOption({ label: 'Critical' });
    await save(second);
    const conflict = two.getByRole('dialog', { name: 'Another user changed this' });
    await conflict.getByText('Theirs: 10 min (was 5 min (inherited))').click();
    await conflict.getByRole('button', { name: 'Continue' }).click();
    await save(two.getByRole('dialog'));
    await rowOf(two, '10 min').getByText('Critical').waitFor();
  });
});

describe('the preview', () => {
  test('says what the rule would have raised for a device, before it is saved', async () => {
    const page = await openPage('chief');
    const form = await edit(page, 'Speeding');
    await form.getByRole('combobox', { name: 'Device' }).click();
    await page.getByRole('option', { name: 'Bus 1' }).click();
    const ask = form.getByRole('button', { name: 'Show preview' });
    await ask.click();
    await form.getByText('Events in the last 7 days: 1 (now: 1)').waitFor();
    await form.getByText('Positions checked: 30').waitFor();
    await expect
      .poll(() => form.getByRole('list', { name: 'Latest events' }).innerText())
      .toMatch(/^\d{4}-\d{2}-\d{2} [\d:]{8}$/);
    await form.getByLabel('Threshold (km/h)').first().fill('140');
    await ask.click();
    await form.getByText('Events in the last 7 days: 0 (now: 1)').waitFor();
  });
});

describe('the limits of a device', () => {
  const LIMITS = `${PAGE}?scope=device&deviceid=BUS1&tab=limits`;

  test('wait for a terminal that is offline, and say who has set them', async () => {
    const page = await openPage('chief', LIMITS);
    await page.getByText('No limits set yet. The terminal uses its own.').waitFor();
    await page.getByRole('button', { name: 'Edit limits' }).click();
    const form = page.getByRole('dialog', { name: 'Device limits of BUS1' });
    await form.getByLabel('Speed limit (km/h)').fill('80');
    await form.getByRole('group', { name: 'Key alarms' }).getByLabel('Emergency (SOS)').check();
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Waiting to be sent to the terminal.').waitFor();
    await page.getByText(/^Set by chief: \d{4}-\d{2}-\d{2} [\d:]{8}$/).waitFor();
    await page.getByRole('region', { name: 'Speed limit (km/h)' }).getByText('80').waitFor();
    await page.getByRole('region', { name: 'Key alarms' }).getByText('Emergency (SOS)').waitFor();
  });

  const ANSWERS = [
    { answer: 'kept', profile: OBEDIENT, reported: '70', state: 'The terminal uses these limits.' },
    {
      answer: 'refused',
      profile: REFUSING,
      reported: '80',
      state: 'The terminal rejected the limits. Check them and send them again.',
    },
  ] as const;

  test.each(ANSWERS)(
    'are $answer by the terminal, which is asked what it has',
    async ({ profile, reported, state }) => {
      const terminal = new SimulatedTerminal({ profile, gateway: { host: '127.0.0.1', port: product.jt808Port } });
      onTestFinished(() => terminal.stop());
      terminal.start();
      const page = await openPage('chief', `${PAGE}?scope=device&deviceid=${profile.deviceId}&tab=limits`);
      const speed = page.getByRole('region', { name: 'Speed limit (km/h)' });
      const values = (...expected: string[]) =>
        waitFor(
          `the limits ${expected.join(' and ')}`,
          () => speed.locator('dd').allInnerTexts(),
          (shown) => shown.join() === expected.join(),
        );
      await values('–', '80');
      await page.getByRole('button', { name: 'Edit limits' }).click();
      const form = page.getByRole('dialog', { name: `Device limits of ${profile.deviceId}` });
      await form.getByLabel('Speed limit (km/h)').fill('70');
      await form.getByRole('button', { name: 'Send' }).click();
      await page.getByText(state).waitFor();
      await values('70', reported);
      await expect.poll(() => speed.getByText('Differs').count()).toBe(reported === '70' ? 0 : 1);
    },
  );
});
