// Firmware tasks on the real gateway and simulated terminals: in packages, where a canary that fails stops it, and over FTP.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FirmwareQuirks } from '../../../../server/demo/quirks.ts';
import type { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import {
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_MODELS_PATH,
  type FirmwareImage,
} from '../../../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_TASKS_PATH,
  type FirmwareDevice,
  type FirmwareTask,
  firmwareActPath,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import { startVehicle } from './startVehicle.ts';

const PAGE = '/innerpage/firmware.html';
const VEHICLES: readonly Vehicle[] = Array.from({ length: 12 }, (_, at) => ({
  deviceId: `VAN${at + 1}`,
  name: `Van ${at + 1}`,
  number: String(13_900_004_000 + at),
}));
const [CANARY] = VEHICLES as readonly [Vehicle, ...Vehicle[]];

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VEHICLES });
});
afterAll(() => scene?.close());

function startVan(vehicle: Vehicle, firmware?: FirmwareQuirks): SimulatedTerminal {
  return startVehicle(scene, vehicle, firmware === undefined ? {} : { quirks: { firmware } });
}

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

/** From now on, as a member has found out of the model. */
async function takeByFtp(): Promise<void> {
  await scene.call('fitter', 'POST', FIRMWARE_MODELS_PATH, {
    pattern: 'Simulator',
    method: 'ftp',
    manufacturerBytes: 5,
    window: 1,
    template: '',
    passthroughType: 0,
  });
}

/** Made by one member, approved and started by another. */
async function startTask(name: string, image: FirmwareImage): Promise<FirmwareTask> {
  const content = {
    name,
    image: image.id,
    devices: VEHICLES.map(({ deviceId }) => deviceId),
    deviceGroups: [],
    model: '',
    installedVersion: '',
    window: [],
    fromDay: '',
    toDay: '',
    parkedMinutes: 0,
    ignition: 'any',
    unwatched: false,
    minimumSignal: 0,
    needsPlan: false,
    concurrency: 10,
    canaries: [CANARY.deviceId],
    stages: [50, 100],
    requiredPercent: 95,
    abortDevices: 1,
    abortPercent: 1,
    pauseMinutes: 0,
  };
  const draft = (await scene.call('chief', 'POST', FIRMWARE_TASKS_PATH, content)) as FirmwareTask;
  const own = { act: 'approve', reason: 'Autumn', version: draft.version };
  expect(await scene.statusOf('chief', firmwareActPath(draft.id), 'POST', own)).toBe(403);
  const approved = await act(draft, 'approve');
  return act(approved, 'start');
}

async function act(task: FirmwareTask, which: FirmwareTaskAct): Promise<FirmwareTask> {
  const body = { act: which, reason: 'Autumn', version: task.version };
  return (await scene.call('fitter', 'POST', firmwareActPath(task.id), body)) as FirmwareTask;
}

async function devicesOf(task: FirmwareTask): Promise<readonly FirmwareDevice[]> {
  const answer = await scene.call('fitter', 'GET', `${FIRMWARE_DEVICES_PATH}?task=${task.id}&limit=100&offset=0`);
  return (answer as { readonly rows: readonly FirmwareDevice[] }).rows;
}

function taskWhen(task: FirmwareTask, accept: (task: FirmwareTask) => boolean): Promise<FirmwareTask> {
  return waitFor(
    `the task ${task.name}`,
    async () => (await scene.call('fitter', 'GET', `${FIRMWARE_TASKS_PATH}/${task.id}`)) as FirmwareTask,
    accept,
  );
}

test('a canary that fails stops a task over twelve vehicles, which goes through with another image over FTP', async () => {
  const canary = startVan(CANARY, { outcome: 'failed' });
  const vans = VEHICLES.slice(1).map((vehicle) => startVan(vehicle));
  const first = await startTask('Winter', await addImage('Winter image', '1.1'));
  const stopped = await taskWhen(first, ({ state }) => state === 'stopped' || state === 'done');
  expect(stopped).toMatchObject({ state: 'stopped', reason: 'too-many-failures' });
  const states = (await devicesOf(first)).map(({ deviceid, state }) => `${deviceid} ${state}`).sort();
  expect(states[0]).toBe(`${CANARY.deviceId} failed`);
  // Nobody but the canary was sent anything.
  expect(vans.map(({ firmwareVersion }) => firmwareVersion)).toEqual(vans.map(() => '1.0'));

  canary.stop();
  const mended = startVan(CANARY);
  await takeByFtp();
  const second = await startTask('Spring', await addImage('Spring image', '1.2'));
  const page = await scene.openPage('fitter', `${PAGE}?task=${second.id}`);
  await page.getByRole('heading', { name: 'Spring' }).waitFor();
  const done = await taskWhen(second, ({ state }) => state === 'stopped' || state === 'done');
  expect(done).toMatchObject({ state: 'done', reason: '' });
  expect([mended, ...vans].map(({ firmwareVersion }) => firmwareVersion)).toEqual(VEHICLES.map(() => '1.2'));
  for (const device of await devicesOf(second)) {
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
