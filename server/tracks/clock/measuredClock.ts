// How far the gateway's clock is ahead of a device's, as measured so far, and which difference applies to a position. Pure.
import { type ClockStep, DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';

/** Upper limit for the travel time of a live report. */
const PROMPT_MS = 60_000;

export class MeasuredClock {
  readonly #steps: readonly ClockStep[];
  readonly #clock: DeviceClock;

  constructor(steps: readonly ClockStep[]) {
    this.#steps = steps.toSorted((left, right) => left.deviceFromMs - right.deviceFromMs);
    this.#clock = new DeviceClock(steps);
  }

  get isMeasured(): boolean {
    return this.#steps.length > 0;
  }

  offsetAt(deviceMs: number): number {
    return this.#clock.offsetAt(deviceMs);
  }

  /**
   * The offset of a report that came as it happened. Where the clock was set back, a moment of it has two offsets: the one with the
   * shortest travel time of the report counts.
   */
  offsetOfLive(deviceMs: number, receivedMs: number): number {
    let offsetMs = this.#clock.offsetAt(deviceMs);
    let errorMs = Math.abs(deviceMs + offsetMs - receivedMs);
    if (errorMs <= PROMPT_MS) return offsetMs;
    for (const step of this.#steps) {
      const otherMs = Math.abs(deviceMs + step.offsetMs - receivedMs);
      if (otherMs <= PROMPT_MS && otherMs < errorMs) [offsetMs, errorMs] = [step.offsetMs, otherMs];
    }
    return offsetMs;
  }

  with(step: ClockStep): MeasuredClock {
    return new MeasuredClock([...this.#steps.filter(({ deviceFromMs }) => deviceFromMs !== step.deviceFromMs), step]);
  }

  /** Spans of the device's clock, half open and apart, that contain every position in a span of the gateway's clock. */
  deviceSpans(fromMs: number, toMs: number): { readonly fromMs: number; readonly toMs: number }[] {
    const offsets = this.isMeasured ? [...new Set(this.#steps.map(({ offsetMs }) => offsetMs))] : [0];
    const spans = offsets.map((offsetMs) => ({ fromMs: fromMs - offsetMs, toMs: toMs - offsetMs }));
    const apart: { fromMs: number; toMs: number }[] = [];
    for (const span of spans.sort((left, right) => left.fromMs - right.fromMs)) {
      const last = apart.at(-1);
      if (last !== undefined && span.fromMs <= last.toMs) last.toMs = span.toMs;
      else apart.push(span);
    }
    return apart;
  }
}
