// How far the gateway's clock is ahead of a device's, along time. Pure.

export interface ClockStep {
  /** The device's clock from here on. */
  readonly deviceFromMs: number;
  /** Gateway minus device. */
  readonly offsetMs: number;
}

/** A smaller difference is not shown: terminals send whole seconds, and networks take their time. */
export const SHOWN_OFFSET_MS = 2_000;

const DAY_MS = 86_400_000;

/** A stretch of the device's clock, up to the next one. */
interface Stretch {
  readonly fromMs: number;
  readonly offsetMs: number;
}

export class DeviceClock {
  /** In the order of the device's clock. */
  readonly steps: readonly ClockStep[];
  readonly #stretches: readonly Stretch[];

  constructor(steps: readonly ClockStep[]) {
    this.steps = steps.toSorted((left, right) => left.deviceFromMs - right.deviceFromMs);
    this.#stretches = stretchesOf(this.steps);
  }

  /** The offset at a moment of the device's clock. The first measurement applies to the time before it too. 0 if nothing was measured. */
  offsetAt(deviceMs: number): number {
    let offsetMs = this.#stretches[0]?.offsetMs ?? 0;
    for (const stretch of this.#stretches) {
      if (stretch.fromMs > deviceMs) break;
      offsetMs = stretch.offsetMs;
    }
    return offsetMs;
  }

  toGateway(deviceMs: number): number {
    return deviceMs + this.offsetAt(deviceMs);
  }

  /** The offset at a moment of the gateway's clock. Where a clock was set back, a moment has two offsets, of which the later counts. */
  offsetAtGateway(gatewayMs: number): number {
    let offsetMs = this.steps[0]?.offsetMs ?? 0;
    for (const step of this.steps) if (step.deviceFromMs + step.offsetMs <= gatewayMs) offsetMs = step.offsetMs;
    return offsetMs;
  }

  /** The stretches of the device's clock, half open and in its order, that lie in a span of the gateway's. */
  deviceSpans(fromMs: number, toMs: number): readonly { readonly fromMs: number; readonly toMs: number }[] {
    const stretches = this.#stretches.length === 0 ? [NOT_MEASURED] : this.#stretches;
    return stretches.flatMap(({ fromMs: beginMs, offsetMs }, at) => {
      const endMs = stretches[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      const span = { fromMs: Math.max(beginMs, fromMs - offsetMs), toMs: Math.min(endMs, toMs - offsetMs) };
      return span.fromMs < span.toMs ? [span] : [];
    });
  }

  /**
   * The steps as the contract has them: by the gateway's clock, and only those that matter to a span. The first measurement applies
   * to all time before it.
   */
  stepsIn(fromMs: number, toMs: number): { fromMs: number; offsetMs: number }[] {
    const steps = this.steps.map(({ deviceFromMs, offsetMs }) => ({ fromMs: deviceFromMs + offsetMs, offsetMs }));
    const first = Math.max(
      0,
      steps.findLastIndex((step) => step.fromMs <= fromMs),
    );
    return steps.filter((step, at) => at === first || (at > first && step.fromMs < toMs));
  }
}

const NOT_MEASURED: Stretch = { fromMs: Number.NEGATIVE_INFINITY, offsetMs: 0 };

/**
 * A difference applies up to the next one. But a clock that was set forward by years has not run through them: positions in
 * between, such as those recorded before it lost its time, are by the clock that was right.
 */
function stretchesOf(steps: readonly ClockStep[]): Stretch[] {
  return steps.flatMap((step, at) => {
    const { deviceFromMs, offsetMs } = step;
    const stretch = { fromMs: at === 0 ? Number.NEGATIVE_INFINITY : deviceFromMs, offsetMs };
    const next = steps[at + 1];
    const ranToMs = measuredNext(steps, step) - offsetMs;
    if (next === undefined || next.deviceFromMs - ranToMs <= DAY_MS) return [stretch];
    // The clock that is further off was wrong.
    if (Math.abs(next.offsetMs) >= Math.abs(offsetMs)) return [stretch];
    return [stretch, { fromMs: ranToMs, offsetMs: next.offsetMs }];
  });
}

/** When the clock was next found to be off by something else, by the gateway's clock. */
function measuredNext(steps: readonly ClockStep[], step: ClockStep): number {
  const atMs = step.deviceFromMs + step.offsetMs;
  const later = steps.map((each) => each.deviceFromMs + each.offsetMs).filter((otherMs) => otherMs > atMs);
  return later.reduce((first, otherMs) => Math.min(first, otherMs), Number.POSITIVE_INFINITY);
}
