// A data plan that runs out while somebody watches, on the real gateway: what the tile says, who may lift it, and what comes back.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { DEVICE_VIEW_PATH, type DeviceView } from '../../../../shared/protocol/api/links.ts';
import {
  NETFLOW_DEVICES_PATH,
  NETFLOW_LIFT_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimContent,
  type SimPlan,
  type SimPlanContent,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import { PLAN_LEVELS_PERCENT } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { SUB_CLIP_WIDTH } from '../../../../simulator/clip/clipFormat.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { clipNameOf } from '../../../../simulator/demoFleet.ts';
import type { ClipOf } from '../../../../simulator/liveMedia.ts';
import { focusOn, pressOn } from '../../../support/browser/keyboard.ts';
import { recordFrameNumbers, type StripShape } from '../../../support/browser/stripReader.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import { NETFLOW } from './upkeepScene.ts';

const USED_UP = 'The data plan of this device is used up.';
const PLAN: SimPlanContent = {
  name: 'Small',
  megabytes: 1,
  resetDay: 1,
  timeZone: 'UTC',
  price: '',
  action: 'sub-stream',
};
/** The overhead with which every byte counts twice. */
const NETFLOW_OVERHEAD_PERCENT = '100';
/** Bytes that, counted twice, are half of the plan. Both cameras use up the rest in eight seconds: their main streams are 30 kB/s. */
const USED_BEFORE_BYTES = 250_000;
const HOUR_MS = 3_600_000;
const VAN: Vehicle = { deviceId: 'PLAN1', name: 'Plan line 1', number: '13900007000' };
const MAIN: Partial<StripShape> = {};
const SUB: Partial<StripShape> = { pictureWidth: SUB_CLIP_WIDTH };

let scene: TrackScene;
let clip: ClipOf;
beforeAll(async () => {
  const clips = await loadDemoClips();
  clip = (_channel, quality) => clips[clipNameOf(1, quality)];
  scene = await startTrackScene({
    vehicles: [VAN],
    environment: { NETFLOW_OVERHEAD_PERCENT },
    fillMore: async ({ devices, netflowUse }) => {
      const { incarnation } = (await devices.findByDeviceId(VAN.deviceId)) ?? expect.fail();
      const none = Array.from({ length: 9 }, () => 0);
      const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
      await netflowUse.write(
        [{ incarnation, hourMs, received: [USED_BEFORE_BYTES, ...none.slice(1)], sent: none }],
        [],
      );
    },
  });
});
afterAll(() => scene?.close());

const call = (method: string, path: string, body?: object) => scene.call('accountant', method, path, body);

async function device(): Promise<NetflowDevice> {
  const { rows } = (await call('GET', `${NETFLOW_DEVICES_PATH}?limit=100`)) as {
    readonly rows: readonly NetflowDevice[];
  };
  return rows.find(({ deviceid }) => deviceid === VAN.deviceId) ?? expect.fail();
}

async function givePlan(): Promise<SimPlan> {
  const plan = (await call('POST', SIM_PLANS_PATH, PLAN)) as SimPlan;
  const { simVersion: version } = await device();
  const sim: SimContent = { deviceid: VAN.deviceId, number: '', iccid: '', expiryDay: '', plan: plan.id, version };
  await call('PUT', SIM_PATH, sim);
  return plan;
}

/** The vehicle drives, and a member has its live page open. */
async function watched(): Promise<Page> {
  startVehicle(scene, VAN, { clip });
  const asked = { deviceid: VAN.deviceId, kinds: ['live'] };
  const { link } = (await scene.call('viewer', 'POST', DEVICE_VIEW_PATH, asked)) as DeviceView;
  // The window is large enough to keep a tile from taking the sub stream by itself.
  return scene.openPage('viewer', `/live/${link}`, { width: 1280, height: 800 });
}

const playing = (page: Page, shape: Partial<StripShape>): Promise<unknown> =>
  waitFor(
    'pictures that change',
    () => recordFrameNumbers(page, 500, shape),
    (frames) => frames.length > 1,
    30_000,
  );

const lift = (hours: number) =>
  call('POST', NETFLOW_LIFT_PATH, {
    deviceid: VAN.deviceId,
    hours,
    reason: hours === 0 ? '' : 'A load that has to be seen',
  });

/** Lifts the limit in Device Netflow, which shows the device's hours too, without a mouse. */
async function liftByKeyboard(): Promise<void> {
  const page = await scene.openPage('accountant', NETFLOW);
  await focusOn(page.getByRole('button', { name: `Hours of ${VAN.name}` }));
  await page.keyboard.press('Enter');
  await pressOn(page.getByRole('dialog'), 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusOn(
    page
      .locator('[role=row][data-id]')
      .filter({ hasText: VAN.name })
      .getByRole('button', { name: /^More actions for/ }),
  );
  await page.keyboard.press('Enter');
  await focusOn(page.getByRole('menuitem', { name: `Lift the limit of ${VAN.name}` }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await focusOn(dialog.getByRole('textbox', { name: 'Reason' }));
  await page.keyboard.type('A load that has to be seen');
  await page.keyboard.press('Enter');
  await page.getByText('Limit lifted.').waitFor();
  await page.close();
}

async function levels(): Promise<readonly (number | null)[]> {
  const query = `deviceid=${VAN.deviceId}&types=data-plan-level&limit=100`;
  const { rows } = (await scene.call('chief', 'GET', `${EVENTS_PATH}?${query}`)) as {
    readonly rows: readonly EventRow[];
  };
  return rows.map(({ value }) => value).toSorted((left, right) => Number(left) - Number(right));
}

test('S-2.4.9 a data plan that runs out while somebody watches leaves what it says, until somebody lifts it', async () => {
  const page = await watched();
  const tile = page.getByRole('region', { name: 'ch 1', exact: true });
  await playing(page, MAIN);
  const plan = await givePlan();
  const subAlone = tile.getByText(`${USED_UP} Only the sub stream is available.`);
  await tile.getByRole('status').and(subAlone).waitFor();
  await playing(page, SUB);
  const told = await waitFor('an event of the last level', levels, (all) => all.includes(100));
  // Only the highest of several levels in one count of the sockets is reported.
  expect(told).toEqual(PLAN_LEVELS_PERCENT.filter((level) => told.includes(level)));
  expect(await device()).toMatchObject({ isLimited: true });

  await liftByKeyboard();
  await playing(page, MAIN);
  await subAlone.waitFor({ state: 'detached' });

  await call('PUT', `${SIM_PLANS_PATH}/${plan.id}`, { ...PLAN, action: 'no-video', version: plan.version });
  await lift(0);
  await tile.getByRole('alert').getByText(`${USED_UP} Video is off until the plan starts over.`).waitFor();
  await lift(1);
  await playing(page, MAIN);
  await expect.poll(() => tile.getByRole('alert').count()).toBe(0);
  expect(await device()).toMatchObject({ liftedBy: 'accountant', isLimited: false });
});
