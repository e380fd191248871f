// A data plan that runs out while somebody watches, on the real gateway: what the tile says, who may lift it, and what comes back.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SUB_CLIP_WIDTH } from '../../../../server/demo/clip/clipFormat.ts';
import { loadDemoClips } from '../../../../server/demo/clip/loadClip.ts';
import { clipNameOf } from '../../../../server/demo/demoFleet.ts';
import type { ClipOf } from '../../../../server/demo/liveMedia.ts';
import { EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { DEVICE_VIEW_PATH, type DeviceView } from '../../../../shared/protocol/api/links.ts';
import {
  type LiftRequest,
  NETFLOW_DEVICES_PATH,
  NETFLOW_LIFT_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimContent,
  type SimPlan,
  type SimPlanContent,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import { PLAN_LEVELS_PERCENT, type PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { recordFrameNumbers, type StripShape } from '../../../support/browser/stripReader.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Behavior, startVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackMember, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';

const PAGE = '/innerpage/devicenetflow.html';
const TODAY = '/innerpage/todayevent.html';
const USED_UP = 'The data plan of this device is used up.';
/** Both cameras' main streams are 30 kB/s, counted twice: a megabyte lasts about 17 s. Of small pictures without sound it lasts 45 s. */
const PLAN = { megabytes: 1, overheadPercent: '100' } as const;
const RUNS_OUT_MS = 90_000;
const [SILENCED, REDUCED] = ['Silenced', 'Reduced'].map((name, at) => ({
  deviceId: `PLAN${at + 1}`,
  name,
  number: String(13_900_007_000 + at),
})) as [Vehicle, Vehicle];
const SUB: Partial<StripShape> = { pictureWidth: SUB_CLIP_WIDTH };

let scene: TrackScene;
let clip: ClipOf;
/** So little that each level is reached in a count of the sockets of its own: of several in one the highest alone is told. */
let small: Behavior;
beforeAll(async () => {
  const clips = await loadDemoClips();
  clip = (_channel, quality) => clips[clipNameOf(1, quality)];
  small = { clip: () => clips[clipNameOf(1, 'sub')], quirks: { audio: 'none' } };
  const environment = { NETFLOW_OVERHEAD_PERCENT: PLAN.overheadPercent };
  scene = await startTrackScene({ vehicles: [SILENCED, REDUCED], environment });
});
afterAll(() => scene?.close());

async function deviceOf({ deviceId }: Vehicle): Promise<NetflowDevice> {
  const { rows } = (await scene.call('accountant', 'GET', `${NETFLOW_DEVICES_PATH}?limit=100`)) as {
    readonly rows: readonly NetflowDevice[];
  };
  const device = rows.find(({ deviceid }) => deviceid === deviceId);
  if (device === undefined) throw new Error(`${deviceId} has no row`);
  return device;
}

async function givePlan(vehicle: Vehicle, action: PlanAction): Promise<void> {
  const content: SimPlanContent = {
    name: `For ${vehicle.name}`,
    megabytes: PLAN.megabytes,
    resetDay: 1,
    timeZone: 'UTC',
    price: '',
    action,
  };
  const plan = (await scene.call('accountant', 'POST', SIM_PLANS_PATH, content)) as SimPlan;
  const { simVersion } = await deviceOf(vehicle);
  const card = { deviceid: vehicle.deviceId, number: '', iccid: '', expiryDay: '' } as const;
  const sim: SimContent = { ...card, plan: plan.id, version: simVersion };
  await scene.call('accountant', 'PUT', SIM_PATH, sim);
}

/** The vehicle drives, and a member has its live page open. */
async function watched(vehicle: Vehicle, member: TrackMember, behavior: Behavior): Promise<Page> {
  startVehicle(scene, vehicle, behavior);
  const asked = { deviceid: vehicle.deviceId, kinds: ['live'] };
  const { link } = (await scene.call(member, 'POST', DEVICE_VIEW_PATH, asked)) as DeviceView;
  // As large as keeps a tile from taking the sub stream by itself.
  return scene.openPage(member, `/live/${link}`, { width: 1280, height: 800 });
}

const playing = (page: Page, shape: Partial<StripShape> = {}): Promise<unknown> =>
  waitFor(
    'pictures that change',
    () => recordFrameNumbers(page, 500, shape),
    (frames) => frames.length > 1,
    30_000,
  );

const tileOf = (page: Page) => page.getByRole('region', { name: 'ch 1', exact: true });

async function lift({ name }: Vehicle): Promise<void> {
  const page = await scene.openPage('accountant', `${PAGE}`);
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button', { name: /more/i })
    .click();
  await page.getByRole('menuitem', { name: `Lift the limit of ${name}` }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A load that has to be seen');
  await dialog.getByRole('button', { name: 'Lift', exact: true }).click();
  await page.getByText('Limit lifted.').waitFor();
}

const levelsOf = async ({ deviceId }: Vehicle): Promise<readonly (number | null)[]> => {
  const query = `deviceid=${deviceId}&types=data-plan-level&limit=100`;
  const { rows } = (await scene.call('chief', 'GET', `${EVENTS_PATH}?${query}`)) as {
    readonly rows: readonly EventRow[];
  };
  return rows.map(({ value }) => value).toSorted((left, right) => Number(left) - Number(right));
};

describe('S-2.4.9 a data plan that runs out while somebody watches', () => {
  test('with "no video" stops the tile with the reason, until somebody lifts it who may', async () => {
    await givePlan(SILENCED, 'no-video');
    const page = await watched(SILENCED, 'viewer', small);
    await playing(page, SUB);
    await tileOf(page).getByRole('alert').getByText(`${USED_UP} Video is off until the plan starts over.`).waitFor({
      timeout: RUNS_OUT_MS,
    });
    const levels = await waitFor(
      'an event of the last level',
      () => levelsOf(SILENCED),
      (told) => told.includes(100),
    );
    expect(levels).toEqual(PLAN_LEVELS_PERCENT);
    const events = await scene.openPage('chief', TODAY);
    const row = events
      .locator('[data-event-id]')
      .filter({ hasText: SILENCED.name })
      .filter({ hasText: 'Data plan usage' });
    for (const percent of PLAN_LEVELS_PERCENT) await row.filter({ hasText: ` ${percent}%` }).waitFor();
    await expect.poll(() => row.count()).toBe(PLAN_LEVELS_PERCENT.length);

    const request: LiftRequest = { deviceid: SILENCED.deviceId, hours: 1, reason: 'Not mine to say' };
    const liftedBy = (member: TrackMember) => scene.statusOf(member, NETFLOW_LIFT_PATH, 'POST', request);
    expect([await liftedBy('viewer'), await liftedBy('limited'), await liftedBy('stranger')]).toEqual([403, 403, 404]);
    const refused = await scene.openPage('limited', PAGE);
    await refused.getByText("You don't have permission for this page.").waitFor();
    await expect.poll(() => refused.getByRole('button', { name: /Lift/ }).count()).toBe(0);

    await lift(SILENCED);
    await playing(page, SUB);
    await expect.poll(() => tileOf(page).getByRole('alert').count()).toBe(0);
    expect(await deviceOf(SILENCED)).toMatchObject({ liftedBy: 'accountant', isLimited: false });
  });

  test('with "sub stream only" falls to the sub stream and says so, and goes back by itself', async () => {
    await givePlan(REDUCED, 'sub-stream');
    const page = await watched(REDUCED, 'chief', { clip });
    await playing(page);
    const limit = tileOf(page).getByText(`${USED_UP} Only the sub stream is available.`);
    await tileOf(page).getByRole('status').and(limit).waitFor({ timeout: RUNS_OUT_MS });
    await playing(page, SUB);
    await lift(REDUCED);
    await playing(page);
    await limit.waitFor({ state: 'detached' });
  });
});
