// Writes changes to the devices of tasks in the order in which they happened.
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import type { FirmwareChange, FirmwareDeviceStore } from '../../store/firmware/firmwareDevices.ts';

/** Rows in one transaction: other writers have their turn in between. */
const ROWS = 200;

/**
 * Changes that could not be written are written with the next attempt, so that nothing is lost while the database is down. For each
 * device these are only the changes that its terminal causes meanwhile: the engine begins nothing as long as something can't be
 * written.
 */
export class ChangeWriter {
  readonly #store: Pick<FirmwareDeviceStore, 'write'>;
  #pending: FirmwareChange[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<FirmwareDeviceStore, 'write'>) {
    this.#store = store;
  }

  add(change: FirmwareChange): void {
    this.#pending.push(change);
  }

  /** Adds the progress of a device, which is not a step. */
  addProgress(device: StoredFirmwareDevice): void {
    const at = this.#pending.findIndex((pending) => pending.device.id === device.id && pending.step === undefined);
    if (at >= 0) this.#pending.splice(at, 1);
    this.#pending.push({ device, step: undefined });
  }

  /** Settles once everything added before is stored; rejects where that failed. */
  flush(): Promise<void> {
    const work = this.#writing.then(() => this.#writeAll());
    this.#writing = work.catch(() => undefined);
    return work;
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const part = this.#pending.slice(0, ROWS);
      this.#pending = this.#pending.slice(ROWS);
      try {
        await this.#store.write(part);
      } catch (error) {
        this.#pending = [...part, ...this.#pending];
        throw error;
      }
    }
  }
}
