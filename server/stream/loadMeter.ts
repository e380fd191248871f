import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const INTERVAL_MS = 200;
/** Above it packets begin to wait for one another anyway. */
const BUSY_SHARE = 0.85;

/** Whether this thread is at the end of its strength, by what share of the last moments it did not idle. */
export class LoadMeter {
  #last: EventLoopUtilization = performance.eventLoopUtilization();
  #isBusy = false;
  readonly #timer = setInterval(() => this.#measure(), INTERVAL_MS).unref();

  get isBusy(): boolean {
    return this.#isBusy;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const now = performance.eventLoopUtilization();
    this.#isBusy = performance.eventLoopUtilization(now, this.#last).utilization > BUSY_SHARE;
    this.#last = now;
  }
}
