// Records of firmware as the gateway answers with them.
import type { FirmwareImage, FirmwareModel, InstalledDevice } from '../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareDevice, FirmwareTask } from '../../../shared/protocol/api/firmware/tasks.ts';
import { FIRMWARE_DEVICE_STATES, type FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

const NOW_MS = wallMs(Date.UTC(2026, 10, 23));

export function aFirmwareImage(fields: Partial<FirmwareImage> = {}): FirmwareImage {
  return {
    id: 1,
    version: 1,
    name: 'MDVR autumn',
    vendor: '',
    models: ['MDVR-8*'],
    hardwareVersion: '',
    firmwareVersion: 'V2.4',
    minimumVersion: '',
    part: 'terminal',
    notes: '',
    sha256: 'a'.repeat(64),
    bytes: 8_000_000,
    addedAtMs: NOW_MS,
    addedBy: 'admin',
    openTasks: 0,
    ...fields,
  };
}

export function aFirmwareModel(fields: Partial<FirmwareModel> = {}): FirmwareModel {
  return {
    id: 1,
    version: 1,
    pattern: 'MDVR-8*',
    method: 'packages',
    manufacturerBytes: 5,
    window: 8,
    packageIntervalMs: 0,
    template: '',
    passthroughType: 0,
    ...fields,
  };
}

export function anInstalledDevice(fields: Partial<InstalledDevice> = {}): InstalledDevice {
  return {
    deviceid: 'BUS1',
    name: 'Bus 1',
    plate: 'ABC-1234',
    hardwareVersion: 'H1',
    reportedAtMs: NOW_MS,
    isOnline: true,
    ...fields,
  };
}

export function aFirmwareTask(fields: Partial<FirmwareTask> = {}): FirmwareTask {
  return {
    id: 7,
    version: 3,
    name: 'Autumn update',
    image: 1,
    imageName: 'MDVR autumn',
    firmwareVersion: 'V2.4',
    devices: [],
    deviceGroups: [],
    model: '',
    installedVersion: '',
    window: [],
    fromDay: '',
    toDay: '',
    parkedMinutes: 5,
    ignition: 'any',
    unwatched: true,
    minimumSignal: 0,
    needsPlan: true,
    concurrency: 10,
    canaries: [],
    stages: [10, 50, 100],
    requiredPercent: 95,
    abortDevices: 2,
    abortPercent: 10,
    pauseMinutes: 60,
    state: 'draft',
    reason: '',
    stage: 0,
    progress: [],
    nextStageAtMs: wallMs(0),
    createdAtMs: NOW_MS,
    createdBy: 'maker',
    approvedAtMs: wallMs(0),
    approvedBy: '',
    startedAtMs: wallMs(0),
    endedAtMs: wallMs(0),
    mayApprove: true,
    ...fields,
  };
}

export function aFirmwareDevice(fields: Partial<FirmwareDevice> = {}): FirmwareDevice {
  return {
    id: 31,
    task: 7,
    deviceid: 'BUS1',
    name: 'Bus 1',
    plate: 'ABC-1234',
    model: 'MDVR-8CH',
    stage: 0,
    state: 'waiting',
    wait: 'parked',
    fault: '',
    method: 'packages',
    attempts: 1,
    sentBytes: 2_000_000,
    totalBytes: 8_000_000,
    versionBefore: 'V2.3',
    versionAfter: '',
    changedAtMs: NOW_MS,
    ...fields,
  };
}

/** A stage's devices by state, in the order of the answer. */
export function stageProgress(counts: Partial<Readonly<Record<FirmwareDeviceState, number>>>): number[] {
  return FIRMWARE_DEVICE_STATES.map((state) => counts[state] ?? 0);
}
