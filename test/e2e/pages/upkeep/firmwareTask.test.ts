// Firmware tasks on the real gateway and simulated terminals: in packages, where a canary that fails stops it, and over FTP.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIRMWARE_IMAGES_PATH, type FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import { addModel, devicesOf, startTask, startVan, taskWhen, vansOf } from './firmwareScene.ts';

const PAGE = '/innerpage/firmware.html';
const VEHICLES = vansOf(12);
const CANARY = VEHICLES[0] as Vehicle;

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VEHICLES });
});
afterAll(() => scene?.close());

/** As the page hands it in: a file, in parts, and what it is. */
async function addImage(name: string, firmwareVersion: string): Promise<FirmwareImage> {
  const page = await scene.openPage('fitter', `${PAGE}?tab=images`);
  await page.getByRole('button', { name: 'Add image' }).first().click();
  const dialog = page.getByRole('dialog');
  const file = { name: `${name}.bin`, mimeType: 'application/octet-stream', buffer: randomBytes(60_000) };
  await dialog.getByLabel('Select file').setInputFiles(file);
  await dialog.getByLabel(/^Name/).fill(name);
  await dialog.getByLabel(/^Version/).fill(firmwareVersion);
  await dialog.getByLabel(/^Models/).fill('Simulator');
  // It is saved only once all of it has been handed in.
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

test('a canary that fails stops a task over twelve vehicles, which goes through with another image over FTP', async () => {
  const canary = startVan(scene, CANARY, { firmware: { outcome: 'failed' } });
  const vans = VEHICLES.slice(1).map((vehicle) => startVan(scene, vehicle));
  const first = await start('Winter', await addImage('Winter image', '1.1'));
  const stopped = await whenOver(first);
  expect(stopped).toMatchObject({ state: 'stopped', reason: 'too-many-failures' });
  const states = (await devicesOf(scene, first)).map(({ deviceid, state }) => `${deviceid} ${state}`).sort();
  expect(states[0]).toBe(`${CANARY.deviceId} failed`);
  // Nobody but the canary was sent anything.
  expect(vans.map(({ firmwareVersion }) => firmwareVersion)).toEqual(vans.map(() => '1.0'));

  canary.stop();
  const mended = startVan(scene, CANARY);
  await addModel(scene, { method: 'ftp', window: 1 });
  const second = await start('Spring', await addImage('Spring image', '1.2'));
  const page = await scene.openPage('fitter', `${PAGE}?task=${second.id}`);
  await page.getByRole('heading', { name: 'Spring' }).waitFor();
  const done = await whenOver(second);
  expect(done).toMatchObject({ state: 'done', reason: '' });
  expect([mended, ...vans].map(({ firmwareVersion }) => firmwareVersion)).toEqual(VEHICLES.map(() => '1.2'));
  for (const device of await devicesOf(scene, second)) {
    expect(device).toMatchObject({
      state: 'done',
      method: 'ftp',
      versionBefore: '1.0',
      versionAfter: '1.2',
      sentBytes: 60_000,
    });
  }
  await page.locator('[role=row][data-id]').filter({ hasText: 'Van 1' }).first().getByText('Done').waitFor();
});

/** What a device has to come back with its new version. */
const VERIFY_MS = 15 * 60_000;
const BEYOND_MS = 60_000;

test.runIf(IS_LONG)(
  'a device that reports success, and has its old version 15 minutes later, has failed, by an event too',
  async () => {
    const liar = startVan(scene, CANARY, { firmware: { outcome: 'false-success' } });
    const task = await startTask(scene, await addImage('Summer image', '1.3'), {
      name: 'Summer',
      devices: [CANARY.deviceId],
      stages: [100],
    });
    const page = await scene.openPage('fitter', `${PAGE}?task=${task.id}`);
    const row = page.locator('[role=row][data-id]').filter({ hasText: 'Van 1' });
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
