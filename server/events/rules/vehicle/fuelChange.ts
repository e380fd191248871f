import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import type { PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS, rounded, ruleSignal } from '../ruleSignals.ts';
import { FuelLevels } from './fuelLevels.ts';

/** The level has changed by the threshold within the duration. `sign`: 1 for more fuel, -1 for less. */
export function fuelRule(sign: 1 | -1): Rule {
  return {
    inputs: ['position'],
    isForLate: true,
    start: (rule) => new FuelChange(rule, sign),
  };
}

/**
 * Only time with the ignition on counts: a parked vehicle burns nothing, and a tank that was drained at night is noticed in
 * the morning.
 */
class FuelChange implements RuleState {
  readonly #rule: PreparedRule;
  readonly #sign: 1 | -1;
  /** Undefined while the device has no sensor. */
  #levels: FuelLevels | undefined;
  #wasRunning = false;

  constructor(rule: PreparedRule, sign: 1 | -1) {
    this.#rule = rule;
    this.#sign = sign;
  }

  get dueAtMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind !== 'position') return NO_SIGNALS;
    const wasRunning = this.#wasRunning || facts.isDriving;
    this.#wasRunning = input.ignitionOn || facts.isDriving;
    const change = this.#changeAt(input, facts, wasRunning);
    if (change === undefined || !facts.isScheduled) return NO_SIGNALS;
    return [ruleSignal(this.#rule, 'momentary', { value: rounded(change) })];
  }

  end(): readonly Signal[] {
    return NO_SIGNALS;
  }

  resume(): void {}

  #changeAt(position: PositionInput, facts: DeviceFacts, wasRunning: boolean): number | undefined {
    // The vehicle was driven while no positions arrived, and the missing fuel was burnt.
    if (facts.isGap && position.hasFix && !facts.hasStayed(position)) this.#levels = undefined;
    if (wasRunning && facts.sinceLastMs > 0) this.#levels?.age(facts.sinceLastMs);
    // A repeated position is no new measurement.
    if (position.fuelLiters === undefined || facts.sinceLastMs === 0) return undefined;
    this.#levels ??= new FuelLevels(this.#rule, this.#sign);
    return this.#levels.take(position.fuelLiters);
  }
}
