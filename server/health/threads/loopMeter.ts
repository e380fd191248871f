import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { After } from '../../faults/timers.ts';
import { PauseWindow } from './pauseWindow.ts';

/** How often the loop is looked at. */
const RESOLUTION_MS = 10;
const NANOSECONDS = 1_000_000;
const NOTED_EVERY_MS = 10_000;

/** What the histogram of Node is used for; in nanoseconds. */
export interface LoopHistogram {
  readonly max: number;
  readonly count: number;
  enable(): void;
  disable(): void;
  reset(): void;
}

export interface LoopMeterDeps {
  readonly now: () => number;
  readonly runAfter: After;
  readonly histogram?: LoopHistogram;
}

/** How long the main thread kept everybody else waiting. */
export class LoopMeter {
  readonly #deps: LoopMeterDeps;
  readonly #window: PauseWindow;
  readonly #histogram: LoopHistogram;
  #cancel: () => void = () => undefined;

  constructor(deps: LoopMeterDeps) {
    this.#deps = deps;
    this.#window = new PauseWindow(deps.now);
    this.#histogram = deps.histogram ?? monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#histogram.enable();
    this.#noteLater();
  }

  longestMs(): number | null {
    this.#note();
    return this.#window.longestMs();
  }

  close(): void {
    this.#cancel();
    this.#histogram.disable();
  }

  #noteLater(): void {
    this.#cancel = this.#deps.runAfter(NOTED_EVERY_MS, () => {
      this.#note();
      this.#noteLater();
    });
  }

  #note(): void {
    if (this.#histogram.count === 0) return;
    // It measures from look to look, of which the time between two looks is no pause.
    this.#window.note(Math.max(0, this.#histogram.max / NANOSECONDS - RESOLUTION_MS));
    this.#histogram.reset();
  }
}
