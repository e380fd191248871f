// The demo's firmware task: one image for three vehicles, of which one says that it could not install it.
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import type { After } from '../../server/faults/timers.ts';
import type { FirmwareImage } from '../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_REACH_PATH,
  FIRMWARE_TASKS_PATH,
  type FirmwareAct,
  type FirmwareReach,
  type FirmwareTargets,
  type FirmwareTask,
  type FirmwareTaskContent,
  firmwareActPath,
} from '../../shared/protocol/api/firmware/tasks.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { addDemoImages } from './demoImages.ts';
import { Looks } from './looks.ts';

type Session = Pick<DemoSession, 'get' | 'send' | 'sendBytes'>;

export interface DemoFirmwareDeps {
  readonly administrator: Session;
  /** Approves what the administrator has prepared. */
  readonly fitter: Session;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

const DEVICES: readonly string[] = ['BUS-101', 'BUS-104', 'BUS-108'];

export class DemoFirmware {
  readonly #deps: DemoFirmwareDeps;
  readonly #looks: Looks;

  constructor(deps: DemoFirmwareDeps) {
    this.#deps = deps;
    this.#looks = new Looks(deps.runAfter);
  }

  start(): void {
    inBackground("the demo's firmware task could not be started", this.#run(), this.#deps.onFault);
  }

  stop(): void {
    this.#looks.stop();
  }

  async #run(): Promise<void> {
    const { administrator, fitter } = this.#deps;
    const image = await addDemoImages(administrator);
    if (image === undefined) return;
    const targets = targetsOf(image);
    const isReached = await this.#looks.until(async () => {
      const reach = await administrator.send<FirmwareReach>('POST', FIRMWARE_REACH_PATH, targets);
      return reach?.fitting === DEVICES.length;
    });
    if (!isReached) return;
    const draft = await administrator.send<FirmwareTask>('POST', FIRMWARE_TASKS_PATH, contentOf(targets));
    const approved = draft && (await act(fitter, draft, 'approve'));
    if (approved !== undefined) await act(administrator, approved, 'start');
  }
}

function act(by: Session, { id, version }: FirmwareTask, act: FirmwareAct['act']): Promise<FirmwareTask | undefined> {
  const request: FirmwareAct = { act, reason: 'Tried in the depot.', version };
  return by.send<FirmwareTask>('POST', firmwareActPath(id), request);
}

function targetsOf({ id }: FirmwareImage): FirmwareTargets {
  return { image: id, devices: [...DEVICES], deviceGroups: [], model: '', installedVersion: '' };
}

function contentOf(targets: FirmwareTargets): FirmwareTaskContent {
  return {
    ...targets,
    name: 'Lake line to 3.2.0',
    window: [],
    fromDay: '',
    toDay: '',
    parkedMinutes: 0,
    ignition: 'any',
    unwatched: false,
    minimumSignal: 0,
    needsPlan: false,
    concurrency: DEVICES.length,
    canaries: [],
    stages: [100],
    requiredPercent: 60,
    abortDevices: 2,
    abortPercent: 10,
    pauseMinutes: 0,
  };
}
