// Sends an image to one device of a task: the checks right before it, and the handling of the outcome.
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { FIRMWARE_PART_CODES } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { TerminalSession } from '../../device/terminalSession.ts';
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import type { FirmwareReachStore, ReachedDevice } from '../../store/firmware/firmwareReach.ts';
import type { Delivery, DeliveryOutcome, DeliveryRequest } from '../delivery/delivery.ts';
import { unheardArrival } from '../rules/arrival.ts';
import { faultOfFit } from '../rules/fitting.ts';
import { afterFailure } from '../rules/retries.ts';
import { type Sign, VERSION_WITHIN_MS } from '../rules/verification.ts';
import type { ChangeWriter } from './changeWriter.ts';
import { type ModelOf, type TaskImages, UNKNOWN_MODEL } from './taskImage.ts';
import type { TaskRun } from './taskRun.ts';

export interface SendingDeps {
  readonly reach: Pick<FirmwareReachStore, 'device'>;
  readonly writer: ChangeWriter;
  readonly images: Pick<TaskImages, 'verifiedFile'>;
  readonly modelOf: ModelOf;
  readonly delivery: Delivery;
  readonly session: (deviceId: string) => TerminalSession | undefined;
  readonly now: () => number;
}

interface FailedDelivery {
  readonly fault: FirmwareFault;
  readonly isPassing: boolean;
  readonly detail: string;
}

/** Signs of a terminal while it was being sent to; its last ones count once everything has arrived. */
export type HeardMeanwhile = () => readonly Sign[];

/** Time until an image whose file could not be read is tried again. */
const UNREADABLE_MS = 2 * 60_000;

export class Sending {
  readonly #deps: SendingDeps;
  /** Files are read through once for each run of a task. */
  readonly #files = new WeakMap<TaskRun, Promise<string | undefined>>();

  constructor(deps: SendingDeps) {
    this.#deps = deps;
  }

  /** Rejects only for bugs, and while the database or the image's file can't be read; then the device is queued or waits. */
  async send(run: TaskRun, device: StoredFirmwareDevice, signal: AbortSignal, heard: HeardMeanwhile): Promise<void> {
    const { reach, session: sessionOf, modelOf, delivery } = this.#deps;
    const { memberGroup } = run.task;
    const place = await reach.device(device.incarnation, memberGroup);
    if (place === undefined) return this.#put(run, device, { state: 'skipped', fault: 'removed' });
    const session = sessionOf(place.deviceId);
    if (session?.incarnation !== device.incarnation)
      return this.#put(run, device, { state: 'waiting', wait: 'online' });
    const fault = faultOfFit(run.image, place);
    if (fault !== '') return this.#unfit(run, device, place, fault);
    const file = await this.#fileOf(run, device);
    if (file === undefined) {
      this.#put(run, device, { state: 'canceled', fault: 'image-damaged' });
      return run.stop('image-damaged');
    }
    const model = (await modelOf(memberGroup, place.model)) ?? UNKNOWN_MODEL;
    if (signal.aborted) return this.#put(run, device, putBack(run));
    const { firmwareVersion: versionBefore, model: name } = place;
    const started = { state: 'sending', attempts: device.attempts + 1, method: model.method } as const;
    run.devices.change(device.id, { ...started, versionBefore, model: name, sentBytes: 0 }, { atMs: this.#deps.now() });
    // No byte is sent before the start is stored: a later run must not take the device for one that never began.
    if (!(await this.#isStored(run, device))) return;
    const { bytes, sha256, vendor, firmwareVersion, part } = run.image;
    const image = { file, bytes, sha256, vendor, firmwareVersion, partCode: FIRMWARE_PART_CODES[part] };
    const progress = this.#followProgress(run, device.id);
    const outcome = await delivery.deliver({ session, image, model, signal, ...progress });
    this.#apply(run, device.id, outcome);
    if (run.devices.find(device.id)?.state !== 'sent') return;
    // Stored at once: a gateway that is killed before would send all of it again.
    const stored = this.#deps.writer.flush();
    this.#replay(run, device.incarnation, model.method === 'packages' ? heard() : heard().filter(isResult));
    if (sessionOf(place.deviceId) === undefined) run.hear(device.incarnation, { kind: 'offline' });
    await stored;
  }

  #followProgress(run: TaskRun, id: number): Pick<DeliveryRequest, 'onProgress' | 'beforeEnd'> {
    let stored: Promise<boolean> | undefined;
    return {
      // Neither late acknowledgements nor packages that the terminal requests again change that it may have everything.
      onProgress: (sentBytes) => {
        if (stored === undefined) run.devices.setProgress(id, sentBytes);
      },
      beforeEnd: async () => {
        stored ??= this.#storeWhole(run, id);
        const isStored = await stored;
        if (!isStored) stored = undefined;
        return isStored;
      },
    };
  }

  async #storeWhole(run: TaskRun, id: number): Promise<boolean> {
    run.devices.setWhole(id, run.image.bytes);
    try {
      await this.#deps.writer.flush();
      return true;
    } catch {
      // The engine writes the rest with each round, and reports it.
      run.devices.setProgress(id, 0);
      return false;
    }
  }

  /** False, with the device put back as it was, while the database is down. */
  async #isStored(run: TaskRun, device: StoredFirmwareDevice): Promise<boolean> {
    try {
      await this.#deps.writer.flush();
      return true;
    } catch {
      // The engine writes the rest with each round, and reports it.
      run.devices.change(device.id, { ...putBack(run), attempts: device.attempts }, { atMs: this.#deps.now() });
      return false;
    }
  }

  /** Makes a later run of the task read the file again. */
  forget(run: TaskRun): void {
    this.#files.delete(run);
  }

  async #fileOf(run: TaskRun, device: StoredFirmwareDevice): Promise<string | undefined> {
    const file = this.#files.get(run) ?? this.#deps.images.verifiedFile(run.image);
    this.#files.set(run, file);
    try {
      return await file;
    } catch (error) {
      // The disk may be available again, or file handles may be free.
      if (this.#files.get(run) === file) this.#files.delete(run);
      const retry = { state: 'waiting', wait: 'retry', deadlineMs: this.#deps.now() + UNREADABLE_MS } as const;
      this.#put(run, device, { ...(run.task.state === 'stopped' ? putBack(run) : retry), fault: 'internal' });
      throw error;
    }
  }

  #put(run: TaskRun, { id }: StoredFirmwareDevice, change: Parameters<TaskRun['devices']['change']>[1]): void {
    run.devices.change(id, change, { atMs: this.#deps.now() });
  }

  /** If an earlier attempt has delivered the image without the gateway learning of it, the device has taken it. */
  #unfit(run: TaskRun, device: StoredFirmwareDevice, place: ReachedDevice, fault: FirmwareFault): void {
    const { firmwareVersion: versionAfter, model } = place;
    // Attempts that the gateway itself broke off aren't counted.
    const wasSentTo = device.method !== '';
    if (fault === 'already-installed' && wasSentTo) {
      this.#put(run, device, { state: 'done', versionAfter, model });
    } else if (wasSentTo) {
      run.fail(device.id, { state: 'failed', fault, versionAfter });
    } else {
      this.#put(run, device, { state: 'skipped', fault, versionAfter });
    }
  }

  #apply(run: TaskRun, id: number, outcome: DeliveryOutcome): void {
    const device = run.devices.find(id);
    if (device?.state !== 'sending') return;
    const atMs = this.#deps.now();
    const { bytes: sentBytes } = run.image;
    const sent = { state: 'sent', sentBytes, deadlineMs: atMs + VERSION_WITHIN_MS } as const;
    if (outcome.ok) {
      run.devices.change(id, sent, { atMs });
      return;
    }
    const unheard = unheardArrival(device, sentBytes, outcome.fault);
    if (unheard !== '') {
      run.devices.change(id, { ...sent, fault: unheard }, { atMs, detail: outcome.detail });
    } else if (outcome.fault === 'aborted') {
      // The terminal has done nothing wrong: it keeps all of its attempts.
      const attempts = Math.max(0, device.attempts - 1);
      run.devices.change(id, { ...putBack(run), attempts }, { atMs, detail: outcome.detail });
    } else {
      this.#failed(run, device, { ...outcome, fault: outcome.fault });
    }
  }

  #failed(run: TaskRun, { id, attempts }: StoredFirmwareDevice, { fault, isPassing, detail }: FailedDelivery): void {
    const atMs = this.#deps.now();
    const after = afterFailure({ fault, isPassing, attempts }, atMs);
    if (fault === 'image-damaged') {
      run.fail(id, { state: 'failed', fault }, detail);
      run.stop('image-damaged');
    } else if (after.kind === 'end') {
      run.fail(id, { state: after.state, fault }, detail);
    } else if (run.task.state === 'stopped') {
      run.devices.change(id, { state: 'canceled', fault }, { atMs, detail });
    } else {
      run.devices.change(id, { state: 'waiting', wait: 'retry', fault, deadlineMs: after.atMs }, { atMs, detail });
    }
  }

  #replay(run: TaskRun, incarnation: number, signs: readonly Sign[]): void {
    for (const sign of signs) run.hear(incarnation, sign);
  }
}

/** The state of a device that was not sent to after all. */
export function putBack({ task }: TaskRun): { readonly state: 'queued' | 'canceled' } {
  return { state: task.state === 'stopped' ? 'canceled' : 'queued' };
}

function isResult({ kind }: Sign): boolean {
  return kind === 'result';
}
