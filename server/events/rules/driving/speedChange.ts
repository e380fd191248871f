import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { metersTo } from '../distance.ts';
import type { PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS, rounded, ruleSignal } from '../ruleSignals.ts';

/** Over a longer interval, harsh braking looks like gentle braking. */
const MAX_STEP_MS = 10_000;
/** No tire brakes or accelerates a vehicle harder: the receiver has made a mistake. */
const POSSIBLE_KMH_PER_S = 45;
/** A place that is farther from the last one than the speed explains, by this factor, is a correction of the receiver. */
const JUMP_FACTOR = 1.5;
const JUMP_M = 50;

/** The speed changes by more than the threshold in a second. `sign`: 1 for faster, -1 for slower. */
export function speedChangeRule(sign: 1 | -1): Rule {
  return {
    inputs: ['position'],
    isForLate: true,
    start: (rule) => new SpeedChange(rule, sign),
  };
}

/**
 * Speeds are compared by the device's clock, since network delays are as long as the intervals between positions. Each speed is the
 * median of itself and its neighbors, which a single wrong one doesn't change: so it is judged one position later.
 */
class SpeedChange implements RuleState {
  readonly #rule: PreparedRule;
  readonly #sign: 1 | -1;
  /** The last judged speed, and the one that waits for its neighbor. */
  #judgedKmh = Number.NaN;
  #judgedAtMs = Number.NaN;
  #waitingKmh = Number.NaN;
  #waitingAtMs = Number.NaN;
  /** A maneuver is signaled once, however many seconds it takes. */
  #isHarsh = false;

  constructor(rule: PreparedRule, sign: 1 | -1) {
    this.#rule = rule;
    this.#sign = sign;
  }

  get dueAtMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind !== 'position') return NO_SIGNALS;
    const { deviceTimeMs, speedKmh, hasFix } = input;
    const stepMs = deviceTimeMs - this.#waitingAtMs;
    // The position is repeated, or labeled with the same second.
    if (stepMs <= 0 && stepMs > -MAX_STEP_MS) return NO_SIGNALS;
    if (!hasFix || speedKmh === undefined) return this.#restart(Number.NaN, Number.NaN);
    const isNext = stepMs > 0 && stepMs <= MAX_STEP_MS && !this.#isJump(input, facts, stepMs);
    return isNext ? this.#take(speedKmh, deviceTimeMs, facts) : this.#restart(speedKmh, deviceTimeMs);
  }

  end(): readonly Signal[] {
    return NO_SIGNALS;
  }

  resume(): void {}

  #isJump(position: PositionInput, facts: DeviceFacts, stepMs: number): boolean {
    const fasterKmh = Math.max(this.#waitingKmh, position.speedKmh ?? 0);
    const expectedM = ((fasterKmh / 3.6) * stepMs) / 1_000;
    return metersTo(position, facts.latitude, facts.longitude) > expectedM * JUMP_FACTOR + JUMP_M;
  }

  #restart(speedKmh: number, atMs: number): readonly Signal[] {
    this.#judgedKmh = Number.NaN;
    this.#judgedAtMs = Number.NaN;
    this.#waitingKmh = speedKmh;
    this.#waitingAtMs = atMs;
    this.#isHarsh = false;
    return NO_SIGNALS;
  }

  #take(nextKmh: number, nextAtMs: number, facts: DeviceFacts): readonly Signal[] {
    const isFirst = Number.isNaN(this.#judgedKmh);
    const speedKmh = isFirst ? this.#waitingKmh : medianOf(this.#judgedKmh, this.#waitingKmh, nextKmh);
    const kmhPerS = (this.#sign * (speedKmh - this.#judgedKmh) * 1_000) / (this.#waitingAtMs - this.#judgedAtMs);
    const wasHarsh = this.#isHarsh;
    this.#isHarsh = kmhPerS >= this.#rule.threshold && kmhPerS <= POSSIBLE_KMH_PER_S;
    this.#judgedKmh = speedKmh;
    this.#judgedAtMs = this.#waitingAtMs;
    this.#waitingKmh = nextKmh;
    this.#waitingAtMs = nextAtMs;
    if (!this.#isHarsh || wasHarsh || !facts.isScheduled) return NO_SIGNALS;
    return [ruleSignal(this.#rule, 'momentary', { value: rounded(kmhPerS) })];
  }
}

function medianOf(first: number, second: number, third: number): number {
  return Math.max(Math.min(first, second), Math.min(Math.max(first, second), third));
}
