// Answers the page's calls in a browser, so that it can be looked at with every state that a fleet takes weeks to come to.
import type { Page } from 'playwright-core';
import {
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_INSTALLED_PATH,
  FIRMWARE_MODELS_PATH,
  FIRMWARE_VERSIONS_PATH,
} from '../../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_REACH_PATH,
  FIRMWARE_STEPS_PATH,
  FIRMWARE_TASKS_PATH,
} from '../../../shared/protocol/api/firmware/tasks.ts';
import { FIRMWARE_DEVICE_STATES } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import {
  aFirmwareDevice,
  aFirmwareImage,
  aFirmwareModel,
  aFirmwareTask,
  anInstalledDevice,
  stageProgress,
} from './firmwareRecords.ts';

const HOUR_MS = 3_600_000;
const { createdAtMs } = aFirmwareTask();

const RUNNING = aFirmwareTask({
  state: 'running',
  stage: 1,
  canaries: ['BUS1'],
  window: [{ days: [1, 2, 3, 4, 5], fromMinute: 60, toMinute: 300 }],
  progress: [stageProgress({ done: 2 }), stageProgress({ done: 3, sending: 2, waiting: 4, failed: 1, skipped: 1 })],
  approvedBy: 'chief',
  approvedAtMs: wallMs(createdAtMs + HOUR_MS),
  startedAtMs: wallMs(createdAtMs + 2 * HOUR_MS),
  nextStageAtMs: wallMs(createdAtMs + 3 * HOUR_MS),
});

const TASKS = [
  RUNNING,
  aFirmwareTask({ id: 8, name: 'Winter update of all the northern lines', mayApprove: false }),
  aFirmwareTask({
    id: 9,
    name: 'Card readers',
    state: 'stopped',
    reason: 'too-many-failures',
    progress: [stageProgress({ done: 1, failed: 2, canceled: 3 })],
  }),
];

const DEVICES = FIRMWARE_DEVICE_STATES.map((state, at) =>
  aFirmwareDevice({
    id: at + 1,
    deviceid: `BUS${at}`,
    name: `Bus ${at}`,
    stage: at < 2 ? 0 : 1,
    state,
    wait: state === 'waiting' ? 'viewers' : '',
    fault: state === 'failed' ? 'same-version' : state === 'skipped' ? 'model-mismatch' : '',
    sentBytes: at * 700_000,
    versionAfter: state === 'done' ? 'V2.4' : '',
  }),
);

const STEPS = [
  {
    atMs: createdAtMs,
    state: 'failed',
    wait: '',
    fault: 'same-version',
    attempt: 2,
    sentBytes: 8_000_000,
    detail: 'V2.3',
  },
  { atMs: createdAtMs, state: 'waiting', wait: 'retry', fault: 'disconnected', attempt: 1, sentBytes: 100, detail: '' },
];

const VERSIONS = [
  { manufacturer: 'ACME', model: 'MDVR-8CH', firmwareVersion: 'V2.4', devices: 120 },
  { manufacturer: 'ACME', model: 'MDVR-8CH', firmwareVersion: 'V2.3', devices: 61 },
  { manufacturer: 'ACME', model: 'MDVR-4CH', firmwareVersion: 'V1.9', devices: 33 },
  { manufacturer: '', model: '', firmwareVersion: '', devices: 4 },
];

const REACH = {
  devices: 12,
  fitting: 9,
  unfitting: [
    { fault: 'already-installed', devices: 2 },
    { fault: 'model-mismatch', devices: 1 },
  ],
};

function listOf(rows: readonly unknown[]) {
  return { rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null };
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  [FIRMWARE_TASKS_PATH]: listOf(TASKS),
  ...Object.fromEntries(TASKS.map((task) => [`${FIRMWARE_TASKS_PATH}/${task.id}`, task])),
  [FIRMWARE_DEVICES_PATH]: listOf(DEVICES),
  [FIRMWARE_STEPS_PATH]: STEPS,
  [FIRMWARE_REACH_PATH]: REACH,
  [FIRMWARE_VERSIONS_PATH]: VERSIONS,
  [FIRMWARE_INSTALLED_PATH]: listOf([
    anInstalledDevice(),
    anInstalledDevice({ deviceid: 'BUS2', name: 'Bus 2', plate: '', isOnline: false, reportedAtMs: wallMs(0) }),
  ]),
  [FIRMWARE_IMAGES_PATH]: listOf([aFirmwareImage(), aFirmwareImage({ id: 2, name: 'Card reader', openTasks: 1 })]),
  [FIRMWARE_MODELS_PATH]: listOf([
    aFirmwareModel(),
    aFirmwareModel({ id: 2, pattern: 'XK-*', method: 'text', template: 'UPGRADE,{url}' }),
  ]),
};

export async function answerFirmware(page: Page): Promise<void> {
  await page.route('**/api/firmware/**', (route) => {
    const data = ANSWERS[new URL(route.request().url()).pathname];
    return data === undefined ? route.abort() : route.fulfill({ json: { error: false, data } });
  });
}
