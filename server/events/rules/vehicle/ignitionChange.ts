import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import type { PreparedRule, Rule, RuleState } from '../rule.ts';
import type { RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS, ruleSignal } from '../ruleSignals.ts';

/**
 * The ignition was turned on, or off. A change across a gap counts too: parked terminals sleep, and report changes when they wake up.
 */
export function ignitionRule(to: 'on' | 'off'): Rule {
  return {
    inputs: ['position'],
    isForLate: true,
    start: (rule) => new IgnitionChange(rule, to === 'on'),
  };
}

class IgnitionChange implements RuleState {
  readonly #rule: PreparedRule;
  readonly #toOn: boolean;
  #isOn: boolean | undefined;

  constructor(rule: PreparedRule, toOn: boolean) {
    this.#rule = rule;
    this.#toOn = toOn;
  }

  get dueAtMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind !== 'position') return NO_SIGNALS;
    const hasChanged = this.#isOn !== undefined && this.#isOn !== input.ignitionOn;
    this.#isOn = input.ignitionOn;
    const isSignaled = hasChanged && input.ignitionOn === this.#toOn && facts.isScheduled;
    return isSignaled ? [ruleSignal(this.#rule, 'momentary')] : NO_SIGNALS;
  }

  end(): readonly Signal[] {
    return NO_SIGNALS;
  }

  resume(): void {}
}
