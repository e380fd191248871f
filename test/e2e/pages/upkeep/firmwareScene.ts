// Firmware tasks on the real gateway and simulated vans: handed in, made, approved and started by calls, as pages make them.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_MODELS_PATH,
  FIRMWARE_VERSIONS_PATH,
  type FirmwareImage,
  type FirmwareModelContent,
  type FirmwareVersions,
} from '../../../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_TASKS_PATH,
  type FirmwareDevice,
  type FirmwareTask,
  type FirmwareTaskContent,
  firmwareActPath,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { UPLOAD_BEGIN_PATH, UPLOAD_PART_PATH, type Upload } from '../../../../shared/protocol/api/uploads/uploads.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { FirmwareQuirks } from '../../../../simulator/quirks.ts';
import type { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import { aTaskContent } from '../../../support/firmware/aTask.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import type { TrackScene, Vehicle } from '../tracks/trackScene.ts';

/** What simulated terminals say that they are, unless they have another model. */
const MODEL = 'Simulator';
const PAGE_ROWS = 100;

export function vansOf(count: number): Vehicle[] {
  return Array.from({ length: count }, (_, at) => ({
    deviceId: `VAN${at + 1}`,
    name: `Van ${at + 1}`,
    number: String(13_900_004_000 + at),
  }));
}

export interface VanOptions {
  readonly firmware?: FirmwareQuirks;
  readonly model?: string;
}

export function startVan(
  scene: TrackScene,
  vehicle: Vehicle,
  { firmware, model = MODEL }: VanOptions = {},
): SimulatedTerminal {
  const quirks = firmware === undefined ? {} : { quirks: { firmware } };
  return startVehicle(scene, vehicle, { channels: 1, hardware: { model }, ...quirks });
}

/** Waits until as many vans have said that they are one of these models: whose model is unknown fits no image. */
export async function untilKnown(scene: TrackScene, count: number, models: readonly string[]): Promise<void> {
  await waitFor('all vans have said what they are', async () => {
    const versions = (await scene.call('fitter', 'GET', FIRMWARE_VERSIONS_PATH)) as FirmwareVersions;
    return versions.reduce((sum, { model, devices }) => (models.includes(model) ? sum + devices : sum), 0) === count;
  });
}

/** How a model takes firmware. */
export async function addModel(scene: TrackScene, change: Partial<FirmwareModelContent> = {}): Promise<void> {
  const content = {
    pattern: MODEL,
    method: 'packages',
    manufacturerBytes: 5,
    window: 8,
    template: '',
    passthroughType: 0,
    ...change,
  };
  await scene.call('fitter', 'POST', FIRMWARE_MODELS_PATH, content);
}

export async function addImage(
  scene: TrackScene,
  { bytes, ...change }: Partial<FirmwareImage> & { readonly bytes: number },
): Promise<FirmwareImage> {
  const content = randomBytes(bytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const begin = { purpose: 'firmware', bytes, sha256 };
  const { id } = (await scene.call('fitter', 'POST', UPLOAD_BEGIN_PATH, begin)) as Upload;
  await scene.call('fitter', 'POST', `${UPLOAD_PART_PATH}?id=${id}&offset=0`, content);
  const image = {
    name: 'Winter image',
    vendor: '',
    models: [MODEL],
    hardwareVersion: '',
    firmwareVersion: '1.1',
    minimumVersion: '',
    part: 'terminal',
    notes: '',
    ...change,
  };
  return (await scene.call('fitter', 'POST', FIRMWARE_IMAGES_PATH, { ...image, upload: id })) as FirmwareImage;
}

/** Made by one member, approved and started by another. */
export async function startTask(
  scene: TrackScene,
  image: FirmwareImage,
  change: Partial<FirmwareTaskContent>,
): Promise<FirmwareTask> {
  const content = aTaskContent({ ...change, image: image.id });
  const draft = (await scene.call('chief', 'POST', FIRMWARE_TASKS_PATH, content)) as FirmwareTask;
  const own = { act: 'approve', reason: 'Autumn', version: draft.version };
  expect(await scene.statusOf('chief', firmwareActPath(draft.id), 'POST', own)).toBe(403);
  return act(scene, await act(scene, draft, 'approve'), 'start');
}

async function act(scene: TrackScene, task: FirmwareTask, which: FirmwareTaskAct): Promise<FirmwareTask> {
  const body = { act: which, reason: 'Autumn', version: task.version };
  return (await scene.call('fitter', 'POST', firmwareActPath(task.id), body)) as FirmwareTask;
}

export async function devicesOf(scene: TrackScene, { id }: FirmwareTask): Promise<readonly FirmwareDevice[]> {
  const devices: FirmwareDevice[] = [];
  for (;;) {
    const query = `task=${id}&limit=${PAGE_ROWS}&offset=${devices.length}`;
    const answer = await scene.call('fitter', 'GET', `${FIRMWARE_DEVICES_PATH}?${query}`);
    const { rows } = answer as { readonly rows: readonly FirmwareDevice[] };
    devices.push(...rows);
    if (rows.length < PAGE_ROWS) return devices;
  }
}

export function taskWhen(
  scene: TrackScene,
  { id, name }: FirmwareTask,
  accept: (task: FirmwareTask) => boolean,
  timeoutMs?: number,
): Promise<FirmwareTask> {
  const read = async () => (await scene.call('fitter', 'GET', `${FIRMWARE_TASKS_PATH}/${id}`)) as FirmwareTask;
  return waitFor(`the task ${name}`, read, accept, timeoutMs);
}
