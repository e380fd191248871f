import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { OnFault } from '../../faults/onFault.ts';
import { runEvery } from '../../faults/timers.ts';

const INTERVAL_MS = 200;
/** Above it packets begin to wait for one another anyway. */
const BUSY_SHARE = 0.85;

/** Whether this thread is at the end of its strength, by what share of the last moments it did not idle. */
export class LoadMeter {
  #last: EventLoopUtilization = performance.eventLoopUtilization();
  #isBusy = false;
  readonly #stop: () => void;

  constructor(onFault: OnFault) {
    this.#stop = runEvery(INTERVAL_MS, () => this.#measure(), onFault);
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  close(): void {
    this.#stop();
  }

  #measure(): void {
    const now = performance.eventLoopUtilization();
    this.#isBusy = performance.eventLoopUtilization(now, this.#last).utilization > BUSY_SHARE;
    this.#last = now;
  }
}
