// Writes what happens to devices of tasks in the order in which it happened.
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import type { FirmwareChange, FirmwareDeviceStore } from '../../store/firmware/firmwareDevices.ts';

/** Of one transaction: other writers have their turn in between. */
const ROWS = 200;

/**
 * What could not be written is written with the next attempt, so that a database that is away for a while loses nothing. Of each
 * device there is as much as its terminal makes happen meanwhile: the engine begins nothing as long as something can't be written.
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

  /** How far it has come, which is no step. */
  addProgress(device: StoredFirmwareDevice): void {
    const at = this.#pending.findIndex((pending) => pending.device.id === device.id && pending.step === undefined);
    if (at >= 0) this.#pending.splice(at, 1);
    this.#pending.push({ device, step: undefined });
  }

  /** Settles once all that was added before is stored; rejects where it could not be. */
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
