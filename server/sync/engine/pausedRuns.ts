// Uploads that members have paused: their terminals were told to wait (0x9207), and go on when they are resumed.
import type { Run } from './run.ts';

/** Of a device; a terminal is asked for 8 uploads at most, and has to have some left for what isn't paused. */
export const MAX_PAUSED_OF_DEVICE = 4;

export class PausedRuns {
  /** By item. */
  readonly #runs = new Map<number, Run>();

  get all(): readonly Run[] {
    return [...this.#runs.values()];
  }

  of(item: number): Run | undefined {
    return this.#runs.get(item);
  }

  /** False for one that can't wait, or where as many of its device do as may: it is ended, and begun anew later. */
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
