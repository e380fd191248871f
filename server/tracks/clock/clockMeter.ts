// Measures a device's clock against the gateway's: received minus device time of live reports. Pure.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';

interface Sample {
  readonly deviceMs: number;
  readonly receivedMs: number;
}

/** The median is of the reports of so long. */
const SURROUNDING_MS = 5 * 60_000;
const MAX_SAMPLES = 31;
/** Of a terminal that reports seldom, so many: one report with a wrong time changes nothing. */
const MIN_SAMPLES = 5;
/** Terminals send whole seconds. */
const CHANGE_MS = 1_000;
/** What was held up on its way is late by less and less: only a clock is off by the same. */
const AGREEING_MS = 2_000;
/** A report is held up for less, for instance by those that a vehicle sends after a day without a network. */
const HELD_UP_MS = 60_000;

export class ClockMeter {
  #samples: Sample[] = [];
  #offsetMs: number | undefined;
  /** The first of all samples; undefined where the clock had been measured before. */
  #first: Sample | undefined;

  /** `offsetMs`: as measured last; undefined: never. */
  constructor(offsetMs: number | undefined) {
    this.#offsetMs = offsetMs;
  }

  /** Of a live report. Gives the step when the difference has changed. */
  add(deviceMs: number, receivedMs: number): ClockStep | undefined {
    const sample = { deviceMs, receivedMs };
    if (this.#offsetMs === undefined) this.#first = sample;
    const samples = [...this.#samples, sample];
    const recent = samples.filter((each) => each.receivedMs > receivedMs - SURROUNDING_MS).length;
    this.#samples = samples.slice(-Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, recent)));
    const offsets = this.#samples.map((each) => each.receivedMs - each.deviceMs);
    const median = offsets.toSorted((left, right) => left - right)[(offsets.length - 1) >> 1] ?? 0;
    const agrees = (offsetMs: number): boolean => Math.abs(offsetMs - median) <= AGREEING_MS;
    if (this.#offsetMs !== undefined) {
      if (Math.abs(median - this.#offsetMs) <= CHANGE_MS) return undefined;
      if (offsets.filter(agrees).length * 2 <= offsets.length) return undefined;
      // The majority of one: not enough to take back what was measured.
      if (this.#samples.length < 3) return undefined;
    }
    const heldUp = this.#firstHeldUp(median, receivedMs);
    this.#offsetMs = median;
    const first = heldUp ?? this.#samples[this.#firstOf(offsets, agrees)] ?? sample;
    return { deviceFromMs: first.deviceMs, offsetMs: median };
  }

  /** A way can only be too long: what is measured less soon after the first report is what the clock was off by from the beginning. */
  #firstHeldUp(offsetMs: number, receivedMs: number): Sample | undefined {
    if (this.#first === undefined || this.#offsetMs === undefined) return undefined;
    const lessMs = this.#offsetMs - offsetMs;
    const isSoon = receivedMs - this.#first.receivedMs <= SURROUNDING_MS;
    return isSoon && lessMs > 0 && lessMs <= HELD_UP_MS ? this.#first : undefined;
  }

  /** Of the last samples, the first of those that all agree: where the clock was set. */
  #firstOf(offsets: readonly number[], agrees: (offsetMs: number) => boolean): number {
    let first = offsets.length - 1;
    while (first > 0 && agrees(offsets[first - 1] ?? Number.NaN)) first--;
    return first;
  }
}
