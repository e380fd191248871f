// Uploads that members have paused: their terminals were told to wait (0x9207), and continue when the uploads are resumed.
import type { Run } from './run.ts';

/** Paused uploads of a device; a terminal is asked for 8 uploads at most, and needs some of them for items that aren't paused. */
export const MAX_PAUSED_OF_DEVICE = 4;

export class PausedRuns {
  /** Runs by item. */
  readonly #runs = new Map<number, Run>();

  get all(): readonly Run[] {
    return [...this.#runs.values()];
  }

  of(item: number): Run | undefined {
    return this.#runs.get(item);
  }

  /** False for a run that can't wait, or where the maximum of its device is waiting: it has to be ended, and begun again later. */
  add(run: Run): boolean {
    const { incarnation } = run.device;
    const ofDevice = this.all.filter(({ device }) => device.incarnation === incarnation).length;
    if (!run.canPause || ofDevice >= MAX_PAUSED_OF_DEVICE) return false;
    this.#runs.set(run.item.id, run);
    run.pause();
    return true;
  }

  remove(run: Run): void {
    if (this.#runs.get(run.item.id) === run) this.#runs.delete(run.item.id);
  }
}
