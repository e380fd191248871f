import type { FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';

/** All devices, at any time. */
export function aTaskContent(change: Partial<FirmwareTaskContent> = {}): FirmwareTaskContent {
  return {
    name: 'Spring',
    image: 1,
    devices: [],
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
    canaries: [],
    stages: [100],
    requiredPercent: 95,
    abortDevices: 2,
    abortPercent: 10,
    pauseMinutes: 0,
    ...change,
  };
}
