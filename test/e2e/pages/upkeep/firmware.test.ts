// Firmware tasks on the real gateway and simulated terminals: in packages, where a canary that fails stops it, over FTP, and in the
// middle of a gateway's end.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIRMWARE_IMAGES_PATH, type FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareDevice, FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import { focusOn, pressOn } from '../../../support/browser/keyboard.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import { addImage, addModel, devicesOf, startTask, startVan, taskWhen, untilKnown, vansOf } from './firmwareScene.ts';
import { FIRMWARE } from './upkeepScene.ts';

const KILLS = IS_LONG ? 50 : 1;
/** A kill at the worst moment costs one van its image; of many kills not every one does. */
const MOST_LOST = IS_LONG ? KILLS - 1 : KILLS;
/** A task of its own for each kill, so that there is something to kill however fast the machine has been until then. */
const TASK_VANS = 5;
const KILLED_IMAGE_BYTES = 1_000_000;
/** Time from the first byte until the delivery has settled, and somewhat more. */
const LONGEST_MS = 4_000;
/** Half of the vans download; every other one works on with its old version while it installs. */
const INSTALL_MS = 6_000;
const IMAGE_BYTES = 60_000;
/** Complaints of the browser while nobody answers at the address. */
const AWAY = [{ url: /^(http|ws):\/\/127\.0\.0\.1:\d+\//, status: 'failed' }] as const;
/** Time that a device has to come back with its new version. */
const VERIFY_MS = 15 * 60_000;
const BEYOND_MS = 60_000;
const DEVICE_ROW = '[role=row][data-id]';

const VANS = vansOf(4 + TASK_VANS * KILLS);
const VEHICLES = VANS.slice(0, 4);
const [CANARY = expect.fail()] = VEHICLES;
const KILLED_VANS = VANS.slice(4);

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VANS });
});
afterAll(() => scene?.close());

/** Hands an image in like a member on the page: a file, in parts, and what it is. */
async function handIn(page: Page, name: string, firmwareVersion: string): Promise<FirmwareImage> {
  await page.getByRole('button', { name: 'Add image' }).first().click();
  const dialog = page.getByRole('dialog');
  const file = { name: `${name}.bin`, mimeType: 'application/octet-stream', buffer: randomBytes(IMAGE_BYTES) };
  await dialog.getByLabel('Select file').setInputFiles(file);
  await dialog.getByLabel(/^Name/).fill(name);
  await dialog.getByLabel(/^Version/).fill(firmwareVersion);
  await dialog.getByLabel(/^Models/).fill('Simulator');
  // The image is saved only once all of it has been handed in.
  await dialog.getByText(/^Uploaded \(/).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Image saved.').waitFor();
  const { rows } = (await scene.call('fitter', 'GET', `${FIRMWARE_IMAGES_PATH}?limit=100&offset=0`)) as {
    readonly rows: readonly FirmwareImage[];
  };
  return rows.find((image) => image.name === name) ?? expect.fail(`no image ${name}`);
}

function start(name: string, image: FirmwareImage): Promise<FirmwareTask> {
  return startTask(scene, image, {
    name,
    devices: VEHICLES.map(({ deviceId }) => deviceId),
    canaries: [CANARY.deviceId],
    stages: [50, 100],
    abortDevices: 1,
    abortPercent: 1,
  });
}

const whenOver = (task: FirmwareTask): Promise<FirmwareTask> =>
  taskWhen(scene, task, ({ state }) => state === 'stopped' || state === 'done');

/** Without a mouse, the restart of one of the devices is requested, and not confirmed. Back leads to all of what the page had. */
async function askToRestart(page: Page, opener: string, heading: string | RegExp): Promise<void> {
  await focusOn(page.getByRole('button', { name: opener }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading }).waitFor();
  const row = page.locator(DEVICE_ROW).filter({ hasText: CANARY.name });
  await focusOn(row.getByRole('button', { name: /^More actions for/ }));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: `Restart ${CANARY.name}` }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: `Restart ${CANARY.name}?` });
  await dialog.getByText(/^Enter .+ to confirm\.$/).waitFor();
  await pressOn(dialog, 'Escape');
  await dialog.waitFor({ state: 'detached' });
}

test('a canary that fails stops a task over four vehicles, which goes through with another image over FTP (S-2.4.7)', async () => {
  const page = await scene.openPage('fitter', `${FIRMWARE}?tab=images`);
  const canary = startVan(scene, CANARY, { firmware: { outcome: 'failed' } });
  const vans = VEHICLES.slice(1).map((vehicle) => startVan(scene, vehicle));
  const first = await start('Winter', await handIn(page, 'Winter image', '1.1'));
  expect(await whenOver(first)).toMatchObject({ state: 'stopped', reason: 'too-many-failures' });
  const states = (await devicesOf(scene, first)).map(({ deviceid, state }) => `${deviceid} ${state}`).sort();
  expect(states[0]).toBe(`${CANARY.deviceId} failed`);
  // Nobody but the canary was sent anything.
  expect(vans.map(({ firmwareVersion }) => firmwareVersion)).toEqual(vans.map(() => '1.0'));

  canary.stop();
  const mended = startVan(scene, CANARY);
  await addModel(scene, { method: 'ftp', window: 1 });
  const image = await addImage(scene, { bytes: IMAGE_BYTES, name: 'Spring image', firmwareVersion: '1.2' });
  const second = await start('Spring', image);
  expect(await whenOver(second)).toMatchObject({ state: 'done', reason: '' });
  expect([mended, ...vans].map(({ firmwareVersion }) => firmwareVersion)).toEqual(VEHICLES.map(() => '1.2'));
  const facts = { state: 'done', method: 'ftp', versionBefore: '1.0', versionAfter: '1.2', sentBytes: IMAGE_BYTES };
  expect(await devicesOf(scene, second)).toMatchObject(VEHICLES.map(() => facts));

  await page.getByRole('tab', { name: 'Tasks' }).click();
  await askToRestart(page, 'Open Spring', 'Spring');
  await page.locator(DEVICE_ROW).filter({ hasText: CANARY.name }).getByText('Done').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'New task' }).waitFor();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await askToRestart(page, 'Show devices with 1.2', /^Devices with .* 1\.2$/);
  await page.goBack();
  await page.locator('.MuiChartsSurface-root').waitFor();
});

test(`killed during firmware tasks, it flashes every van once and knows of each what it has, and an open page shows it (times: ${KILLS}) (S-2.4.7)`, async () => {
  const models = ['Packer', 'Fetcher'];
  await addModel(scene, { pattern: 'Packer' });
  await addModel(scene, { pattern: 'Fetcher', method: 'http' });
  const image = await addImage(scene, { bytes: KILLED_IMAGE_BYTES, models });
  const vans = new Map(KILLED_VANS.map((vehicle, at) => [vehicle.deviceId, startKilledVan(vehicle, at)]));
  const vanOf = (deviceid: string): SimulatedTerminal => vans.get(deviceid) ?? expect.fail(deviceid);
  await untilKnown(scene, KILLED_VANS.length, models);
  const page = await scene.openPage('fitter', FIRMWARE, { allowed: AWAY });
  const tasks: FirmwareTask[] = [];
  for (let kill = 0; kill < KILLS; kill++) tasks.push(await killDuring(image, kill));
  const devices = await waitFor(
    'every van is done, or may have the image',
    async () => (await Promise.all(tasks.map((task) => devicesOf(scene, task)))).flat(),
    (all) =>
      all.every(({ deviceid, state, fault }) => {
        const mayHave = state === 'verifying' && fault !== '';
        return state === 'done' || (mayHave && vanOf(deviceid).images.length === 0);
      }),
    60_000 + KILLED_VANS.length * 10_000,
  );
  for (const device of devices) expectFlashedOnce(device, vanOf(device.deviceid), image);
  expect(devices).toHaveLength(KILLED_VANS.length);
  expect(devices.filter(isDone).length).toBeGreaterThanOrEqual(KILLED_VANS.length - MOST_LOST);
  // Nobody has reloaded the page.
  const last = devices.slice(-TASK_VANS).filter(isDone);
  const row = page.locator(DEVICE_ROW).filter({ hasText: taskName(KILLS - 1) });
  await row.getByText(`100% ${last.length}/${TASK_VANS}`).waitFor();
});

test.runIf(IS_LONG)(
  'a device that reports success, and has its old version 15 minutes later, has failed, by an event too',
  async () => {
    const liar = startVan(scene, CANARY, { firmware: { outcome: 'false-success' } });
    const page = await scene.openPage('fitter', `${FIRMWARE}?tab=images`);
    const task = await startTask(scene, await handIn(page, 'Summer image', '1.3'), {
      name: 'Summer',
      devices: [CANARY.deviceId],
      stages: [100],
    });
    await page.goto(`${FIRMWARE}?task=${task.id}`);
    const row = page.locator(DEVICE_ROW).filter({ hasText: CANARY.name });
    await row.getByText('Verifying').waitFor({ timeout: BEYOND_MS });
    const beganAtMs = Date.now();
    await row.getByText('Failed').waitFor({ timeout: VERIFY_MS + BEYOND_MS });
    expect(Date.now() - beganAtMs).toBeGreaterThan(VERIFY_MS - BEYOND_MS);
    const [device] = await devicesOf(scene, task);
    expect(device).toMatchObject({ state: 'failed', fault: 'same-version', versionAfter: liar.firmwareVersion });
    const events = await scene.openPage('chief', '/innerpage/todayevent.html');
    await events
      .locator('[data-event-id]')
      .filter({ hasText: CANARY.name })
      .getByText('Firmware update failed')
      .waitFor();
  },
  VERIFY_MS + 4 * BEYOND_MS,
);

const isDone = ({ state }: FirmwareDevice): boolean => state === 'done';
const taskName = (kill: number): string => `Killed ${kill + 1}`;

function startKilledVan(vehicle: Vehicle, at: number): SimulatedTerminal {
  return startVan(scene, vehicle, {
    model: at % 2 === 0 ? 'Packer' : 'Fetcher',
    firmware: { rangeBytes: 200_000, ...(at % 4 < 2 ? { installMs: INSTALL_MS } : {}) },
  });
}

async function killDuring(image: FirmwareImage, kill: number): Promise<FirmwareTask> {
  const own = KILLED_VANS.slice(kill * TASK_VANS, (kill + 1) * TASK_VANS).map(({ deviceId }) => deviceId);
  // All vans begin at once, since each one that may have the image holds its place for a quarter of an hour.
  const task = await startTask(scene, image, { name: taskName(kill), devices: own, concurrency: TASK_VANS });
  await waitFor(
    'a van has its turn',
    () => devicesOf(scene, task),
    (all) => all.some(({ state }) => state !== 'queued' && state !== 'waiting'),
  );
  await delay(Math.random() * LONGEST_MS);
  await scene.product.kill();
  await scene.product.startAgain();
  return task;
}

function expectFlashedOnce(device: FirmwareDevice, van: SimulatedTerminal, image: FirmwareImage): void {
  const { deviceid, versionAfter } = device;
  const { firmwareVersion, images } = van;
  const taken = images.map(({ sha256 }) => sha256);
  const has = isDone(device);
  expect({ deviceid, versionAfter }).toEqual({ deviceid, versionAfter: has ? '1.1' : '' });
  // If the kill comes between storing the state before the last bytes and sending them, it is known within 15 minutes that they were lost.
  expect({ deviceid, firmwareVersion, taken }).toEqual({
    deviceid,
    firmwareVersion: has ? '1.1' : '1.0',
    taken: has ? [image.sha256] : [],
  });
}
