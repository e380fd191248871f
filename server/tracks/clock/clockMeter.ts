// Measures a device's clock against the gateway's: received minus device time of live reports. Pure.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import { FirstMeasure } from './firstMeasure.ts';

interface Sample {
  readonly deviceMs: number;
  readonly receivedMs: number;
}

/** Time from which the median takes reports. */
const SURROUNDING_MS = 5 * 60_000;
const MAX_SAMPLES = 31;
/** Minimum of reports for the median of a terminal that reports seldom: one report with a wrong time changes nothing. */
const MIN_SAMPLES = 5;
/** Terminals send whole seconds. */
const CHANGE_MS = 1_000;
/** Tolerance for equal offsets. Delayed reports are late by less and less: only a clock is off by the same amount. */
const AGREEING_MS = 2_000;

export class ClockMeter {
  #samples: Sample[] = [];
  #offsetMs: number | undefined;
  /** Defined while the reports of a clock that was never measured may be a backlog. */
  #first: FirstMeasure | undefined;

  /** `offsetMs`: the last measured offset; undefined: never measured. */
  constructor(offsetMs: number | undefined) {
    this.#offsetMs = offsetMs;
  }

  /** Adds a live report. Returns the step when the difference has changed. */
  add(deviceMs: number, receivedMs: number): ClockStep | undefined {
    const sample = { deviceMs, receivedMs };
    const step = this.#offsetMs === undefined ? this.#begin(sample) : this.#measure(sample, this.#offsetMs);
    if (step !== undefined) this.#offsetMs = step.offsetMs;
    return step;
  }

  #begin(sample: Sample): ClockStep {
    this.#first = new FirstMeasure(sample);
    return { deviceFromMs: sample.deviceMs, offsetMs: sample.receivedMs - sample.deviceMs };
  }

  #measure(sample: Sample, offsetMs: number): ClockStep | undefined {
    if (this.#first === undefined) return this.#follow(sample, offsetMs);
    const settled = this.#first.add(sample);
    if (settled === undefined) return this.#first.assume(sample, offsetMs);
    this.#first = undefined;
    return Math.abs(settled.offsetMs - offsetMs) <= CHANGE_MS ? undefined : settled;
  }

  #follow(sample: Sample, offsetMs: number): ClockStep | undefined {
    const samples = [...this.#samples, sample];
    const recent = samples.filter((each) => each.receivedMs > sample.receivedMs - SURROUNDING_MS).length;
    this.#samples = samples.slice(-Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, recent)));
    const offsets = this.#samples.map((each) => each.receivedMs - each.deviceMs);
    const median = offsets.toSorted((left, right) => left - right)[(offsets.length - 1) >> 1] ?? 0;
    const agrees = (other: number): boolean => Math.abs(other - median) <= AGREEING_MS;
    if (Math.abs(median - offsetMs) <= CHANGE_MS) return undefined;
    if (offsets.filter(agrees).length * 2 <= offsets.length) return undefined;
    // The majority of a single report is not enough to replace what was measured.
    if (this.#samples.length < 3) return undefined;
    const first = this.#samples[this.#firstOf(offsets, agrees)] ?? sample;
    return { deviceFromMs: first.deviceMs, offsetMs: median };
  }

  /** Index of the first of the last samples that all agree: there the clock was set. */
  #firstOf(offsets: readonly number[], agrees: (offsetMs: number) => boolean): number {
    let first = offsets.length - 1;
    while (first > 0 && agrees(offsets[first - 1] ?? Number.NaN)) first--;
    return first;
  }
}
