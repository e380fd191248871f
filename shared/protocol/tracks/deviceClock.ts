// How far the gateway's clock is ahead of a device's, along time. Pure.

export interface ClockStep {
  /** The device's clock from here on. */
  readonly deviceFromMs: number;
  /** Gateway minus device. */
  readonly offsetMs: number;
}

/** A difference of less is not shown: terminals send whole seconds, and networks take their time. */
export const SHOWN_OFFSET_MS = 2_000;

export class DeviceClock {
  /** In the order of the device's clock. */
  readonly #steps: readonly ClockStep[];

  constructor(steps: readonly ClockStep[]) {
    this.#steps = steps.toSorted((left, right) => left.deviceFromMs - right.deviceFromMs);
  }

  /** What was measured first holds for the time before too. 0 where nothing was measured. */
  offsetAt(deviceMs: number): number {
    let offsetMs = this.#steps[0]?.offsetMs ?? 0;
    for (const step of this.#steps) {
      if (step.deviceFromMs > deviceMs) break;
      offsetMs = step.offsetMs;
    }
    return offsetMs;
  }

  toGateway(deviceMs: number): number {
    return deviceMs + this.offsetAt(deviceMs);
  }

  /** The offset at a moment of the gateway's clock. Where a clock was set back a moment has two, of which the later counts. */
  offsetAtGateway(gatewayMs: number): number {
    let offsetMs = this.#steps[0]?.offsetMs ?? 0;
    for (const step of this.#steps) if (step.deviceFromMs + step.offsetMs <= gatewayMs) offsetMs = step.offsetMs;
    return offsetMs;
  }

  /** The stretches of the device's clock, half open and in its order, that lie in a span of the gateway's. */
  deviceSpans(fromMs: number, toMs: number): readonly { readonly fromMs: number; readonly toMs: number }[] {
    const steps = this.#steps.length === 0 ? [{ deviceFromMs: 0, offsetMs: 0 }] : this.#steps;
    return steps.flatMap(({ deviceFromMs, offsetMs }, at) => {
      const beginMs = at === 0 ? Number.NEGATIVE_INFINITY : deviceFromMs;
      const endMs = steps[at + 1]?.deviceFromMs ?? Number.POSITIVE_INFINITY;
      const span = { fromMs: Math.max(beginMs, fromMs - offsetMs), toMs: Math.min(endMs, toMs - offsetMs) };
      return span.fromMs < span.toMs ? [span] : [];
    });
  }

  /** As the contract has it: by the gateway's clock, those that matter to a span. */
  stepsIn(fromMs: number, toMs: number): { fromMs: number; offsetMs: number }[] {
    const steps = this.#steps.map(({ deviceFromMs, offsetMs }) => ({ fromMs: deviceFromMs + offsetMs, offsetMs }));
    const first = steps.findLastIndex((step) => step.fromMs <= fromMs);
    return steps.filter((step, at) => step.fromMs < toMs && at >= Math.max(0, first));
  }
}
