// The devices of a task in memory: each change to one is a step in its log.
import type { FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import { hasEnded } from '../rules/course.ts';
import type { ChangeWriter } from './changeWriter.ts';

export type DeviceChange = Partial<
  Pick<
    StoredFirmwareDevice,
    | 'state'
    | 'wait'
    | 'fault'
    | 'method'
    | 'model'
    | 'attempts'
    | 'sentBytes'
    | 'versionBefore'
    | 'versionAfter'
    | 'deadlineMs'
  >
> & { readonly state: FirmwareDeviceState };

export class TaskDevices {
  readonly #writer: ChangeWriter;
  readonly #devices = new Map<number, StoredFirmwareDevice>();
  readonly #ids = new Map<number, number>();
  #isChanged = false;

  constructor(writer: ChangeWriter) {
    this.#writer = writer;
  }

  get list(): readonly StoredFirmwareDevice[] {
    return [...this.#devices.values()];
  }

  /** Whether anything has changed since the last call. */
  takeChanged(): boolean {
    const isChanged = this.#isChanged;
    this.#isChanged = false;
    return isChanged;
  }

  find(id: number): StoredFirmwareDevice | undefined {
    return this.#devices.get(id);
  }

  ofIncarnation(incarnation: number): StoredFirmwareDevice | undefined {
    const id = this.#ids.get(incarnation);
    return id === undefined ? undefined : this.#devices.get(id);
  }

  /** Loads the devices from the database. What is under way in memory is newer: only ended devices are replaced. */
  load(stored: readonly StoredFirmwareDevice[]): void {
    for (const device of stored) {
      const known = this.#devices.get(device.id);
      if (known !== undefined && !hasEnded(known.state)) continue;
      this.#devices.set(device.id, device);
      this.#ids.set(device.incarnation, device.id);
    }
  }

  /** Changes a device; waits and faults of its earlier state are cleared. */
  change(id: number, change: DeviceChange, { atMs, detail = '' }: { readonly atMs: number; readonly detail?: string }) {
    const before = this.#devices.get(id);
    if (before === undefined) return;
    const after: StoredFirmwareDevice = {
      ...before,
      wait: '',
      fault: '',
      deadlineMs: 0,
      ...change,
      changedAtMs: atMs,
    };
    this.#devices.set(id, after);
    const { state, wait, fault, attempts: attempt, sentBytes } = after;
    this.#isChanged = true;
    this.#writer.add({ device: after, step: { atMs, state, wait, fault, attempt, sentBytes, detail } });
  }

  /** Adds a step that doesn't change the state. */
  note(id: number, { atMs, detail }: { readonly atMs: number; readonly detail: string }): void {
    const device = this.#devices.get(id);
    if (device === undefined) return;
    const { state, wait, fault, attempts: attempt, sentBytes } = device;
    this.#isChanged = true;
    this.#writer.add({ device, step: { atMs, state, wait, fault, attempt, sentBytes, detail } });
  }

  /** Not a step: progress is written with the next step, or by `writeProgress`. */
  setProgress(id: number, sentBytes: number): void {
    const device = this.#devices.get(id);
    if (device?.state === 'sending') this.#devices.set(id, { ...device, sentBytes });
  }

  /** The rest of the image may be sent once this is stored: `unheardArrival` reads it. */
  setWhole(id: number, imageBytes: number): void {
    this.setProgress(id, imageBytes);
    this.writeProgress(id);
  }

  /** Marks a device that is about to begin: there is no step before it is certain that it will. */
  reserve(id: number): void {
    const device = this.#devices.get(id);
    if (device !== undefined) this.#devices.set(id, { ...device, state: 'sending', wait: '', sentBytes: 0 });
  }

  writeProgress(id: number): void {
    const device = this.#devices.get(id);
    if (device?.state !== 'sending' || device.sentBytes === 0) return;
    this.#isChanged = true;
    this.#writer.addProgress(device);
  }
}
