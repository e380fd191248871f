// How Datasync and Device Netflow look with a rule, requests and a plan in them, and that both are used by keyboard alone. How
// Device Firmware looks is tested beside its own page.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  NETFLOW_DEVICES_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimPlan,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import {
  SYNC_ACT_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncRequested,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { BUS, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

const DATASYNC = '/innerpage/datasync.html';
const NETFLOW = '/innerpage/devicenetflow.html';
const HOUR_MS = 3_600_000;
const ROW = '[role=row][data-id]';
/** A row, the calendar's table, or the chart. */
const READY = `[role=tabpanel] :is(${ROW}, table, .MuiChartsSurface-root):visible`;
/** The button of a toolbar that adds one. */
const ADD = '[role=tabpanel] .MuiButton-contained';
const DIALOG = ':is([role=dialog], [role=alertdialog])';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
  await addSync();
  await addPlan();
});
afterAll(() => scene?.close());

/** A rule that only listed events meet, and two requests of the bus, which is away: one is canceled. */
async function addSync(): Promise<void> {
  await scene.call('archivist', 'POST', SYNC_RULES_PATH, aSyncRule({ name: 'Alarms of all', choice: 'alarms' }));
  const fromMs = Date.now() - 5 * HOUR_MS;
  const span = { fromMs, toMs: fromMs + HOUR_MS / 6 };
  const body = { deviceid: BUS.deviceId, channels: [1, 2], stream: 'any', ...span };
  const { items } = (await scene.call('archivist', 'POST', SYNC_REQUEST_PATH, body)) as SyncRequested;
  await scene.call('archivist', 'POST', SYNC_ACT_PATH, { items: items.slice(0, 1), act: 'cancel' });
}

async function addPlan(): Promise<void> {
  const content = {
    name: 'Five',
    megabytes: 5_000,
    resetDay: 1,
    timeZone: 'UTC',
    price: 'NT$ 199',
    action: 'no-video',
  };
  const plan = (await scene.call('accountant', 'POST', SIM_PLANS_PATH, content)) as SimPlan;
  const { rows } = (await scene.call('accountant', 'GET', `${NETFLOW_DEVICES_PATH}?limit=10`)) as {
    readonly rows: readonly NetflowDevice[];
  };
  const version = rows.find(({ deviceid }) => deviceid === BUS.deviceId)?.simVersion;
  const sim = {
    deviceid: BUS.deviceId,
    number: '0912345678',
    iccid: '',
    expiryDay: '2027-01-31',
    plan: plan.id,
    version,
  };
  await scene.call('accountant', 'PUT', SIM_PATH, sim);
}

const LOOKS = [
  ['en', 1280, 'light'],
  ['zh-TW', 360, 'light'],
  ['jp', 360, 'dark'],
] as const;
type Locale = (typeof LOOKS)[number][0];

describe.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', (...look) => {
  const [locale, width, colorScheme] = look;
  const open = (member: 'archivist' | 'accountant', address: string) =>
    scene.openPage(member, address, { locale, width, colorScheme });

  test.each([
    ['archivist', DATASYNC],
    ['accountant', NETFLOW],
  ] as const)("%s's tabs: %s", async (member, address) => {
    const page = await open(member, address);
    await page.getByRole('tab').first().waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.locator(READY).first().waitFor();
      await lookAt(page, (await tab.innerText()).trim(), locale);
    }
  });

  test('dialogs of Datasync', async () => {
    const page = await open('archivist', DATASYNC);
    for (const query of ['', '?tab=rules']) {
      await page.goto(DATASYNC + query);
      await page.locator(ROW).first().waitFor();
      await page.locator(ADD).click();
      await lookAtDialog(page, `the form of ${query}`, locale);
    }
  });

  test('dialogs of Device Netflow', async () => {
    const page = await open('accountant', NETFLOW);
    await page.locator(ROW).first().waitFor();
    await page.locator(`${ROW} button`).first().click();
    await lookAtDialog(page, 'the hours', locale);
    for (const at of [0, 1]) {
      await page.goto(NETFLOW);
      await page.locator(ROW).first().waitFor();
      await page.locator(`${ROW} button[aria-haspopup=menu]`).first().click();
      await page.getByRole('menuitem').nth(at).click();
      await lookAtDialog(page, at === 0 ? 'the SIM' : 'the lift', locale);
    }
    await page.goto(`${NETFLOW}?tab=plans`);
    await page.locator(ROW).first().waitFor();
    await page.locator(ADD).click();
    await lookAtDialog(page, 'the plan', locale);
  });
});

async function lookAtDialog(page: Page, what: string, locale: Locale): Promise<void> {
  await page.locator(DIALOG).waitFor();
  await lookAt(page, what, locale, DIALOG);
}

/** `part`: a dialog, beside which the page was looked at before. */
async function lookAt(page: Page, what: string, locale: Locale, part?: string): Promise<void> {
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what, part);
    await expectFits(page, what);
    expectWords(await page.locator('body').innerText(), locale);
  });
}

test('a recording is fetched later, and another requested, by keyboard alone', async () => {
  const page = await scene.openPage('archivist', DATASYNC);
  await page.getByRole('button', { name: `Pause ${BUS.name} · 2` }).focus();
  await page.keyboard.press('Enter');
  await page.locator(ROW).filter({ hasText: 'Paused' }).waitFor();
  await page.getByRole('button', { name: 'Fetch recordings' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Fetch recordings' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test("a limit is lifted by keyboard alone, and the device's hours are read", async () => {
  const page = await scene.openPage('accountant', NETFLOW);
  await page.getByRole('button', { name: `Hours of ${BUS.name}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator(ROW).filter({ hasText: BUS.name }).getByRole('button', { name: 'more' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: `Lift the limit of ${BUS.name}` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator(DIALOG);
  await dialog.getByRole('textbox').last().focus();
  await page.keyboard.type('Accident');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Limit lifted.').waitFor();
});
