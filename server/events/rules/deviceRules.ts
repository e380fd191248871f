// The rules of one device: they take its reports and return what begins and ends. No clock, no timer, nothing stored.
import { isTime, LATE_QUIET_MS } from '../signals/reportTimes.ts';
import { type Observation, Origin, type Signal } from '../signals/signal.ts';
import { plausiblePosition } from './plausible.ts';
import type { OpenCondition, PreparedRule } from './rule.ts';
import type { PositionInput, RuleInput } from './ruleInput.ts';
import { NO_SIGNALS } from './ruleSignals.ts';
import { RuleStates } from './ruleStates.ts';

/**
 * Late positions are judged by the device's clock, apart from those that come as they are measured: the two come mixed, and a vehicle
 * that was speeding an hour ago isn't speeding now.
 */
export class DeviceRules {
  readonly #live = new RuleStates(false);
  #late: RuleStates | undefined;
  #lateReceivedAtMs = Number.NaN;
  /**
   * Late positions up to this time are known: terminals send them again when the answer was lost. Rules don't judge positions of an older
   * package that comes after a newer one: their states only go forward.
   */
  #lateUntilMs = Number.NEGATIVE_INFINITY;

  /**
   * When a tick is needed, by the gateway's clock; Infinity: none, until the next input. An earlier tick changes nothing. With each
   * tick, `endLate` must be called too.
   */
  get nextTickAtMs(): number {
    const liveMs = this.#live.dueAtMs;
    return this.#late === undefined ? liveMs : Math.min(liveMs, this.#lateReceivedAtMs + LATE_QUIET_MS);
  }

  /**
   * Conditions that begin, end or have happened with this input. `rules`: those that are on, the same list as long as nothing changes.
   * If a rule was turned off or its settings have changed, its raised conditions end with the next input of any kind.
   */
  evaluate(input: RuleInput, rules: readonly PreparedRule[]): readonly Signal[] {
    if (input.kind !== 'position') return isTime(input.atMs) ? this.#live.evaluate(input, rules) : NO_SIGNALS;
    const position = plausiblePosition(input);
    if (position === undefined) return NO_SIGNALS;
    return position.isLate ? this.#evaluateLate(position, rules) : this.#live.evaluate(position, rules);
  }

  /** Ends conditions that late positions have left open, once no more of them come. Undefined while there is nothing to end. */
  endLate(nowMs: number): Observation | undefined {
    if (this.#late === undefined || nowMs < this.#lateReceivedAtMs + LATE_QUIET_MS) return undefined;
    const signals = this.#late.end();
    this.#late = undefined;
    if (signals.length === 0) return undefined;
    return { atMs: this.#lateUntilMs, deviceTimeMs: this.#lateUntilMs, isLate: true, covered: 0, signals };
  }

  /**
   * After a restart of the gateway, before the first input: goes on with the device's open conditions, late ones left out.
   * Returns the end of those that no rule is on for.
   */
  resume(open: readonly OpenCondition[], rules: readonly PreparedRule[], nowMs: number): readonly Signal[] {
    return open
      .filter((condition) => !this.#live.resume(condition, rules, nowMs))
      .map(({ type, unit, area }) => ({ type, unit, area, form: 'end', origin: Origin.Rule }));
  }

  #evaluateLate(position: PositionInput, rules: readonly PreparedRule[]): readonly Signal[] {
    if (position.atMs <= this.#lateUntilMs || rules.length === 0) return NO_SIGNALS;
    this.#lateUntilMs = position.atMs;
    this.#lateReceivedAtMs = position.receivedAtMs;
    this.#late ??= new RuleStates(true);
    return this.#late.evaluate(position, rules);
  }
}
