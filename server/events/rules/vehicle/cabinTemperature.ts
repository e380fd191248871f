import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { RuleInput } from '../ruleInput.ts';
import { joined, NO_SIGNALS } from '../ruleSignals.ts';

/** Terminals measure whole degrees: going up and down by one is no change. */
const HYSTERESIS_CELSIUS = 1;
/** Longer than the silence of parked terminals. */
const GAP_MS = 2 * 60 * 60_000;

type Side = 'above' | 'below';

/** The cabin is warmer than the threshold or colder than the low threshold. */
export const cabinTemperature: Rule = {
  inputs: ['position'],
  isForLate: true,
  gapMs: GAP_MS,
  start: (rule) => new CabinTemperature(rule),
};

class CabinTemperature implements RuleState {
  readonly #rule: PreparedRule;
  readonly #hysteresis: number;
  readonly #held = new HeldCondition();
  #side: Side | undefined;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
    const { threshold, clearThreshold } = rule;
    this.#hysteresis = clearThreshold <= threshold ? threshold - clearThreshold : HYSTERESIS_CELSIUS;
  }

  get dueAtMs(): number {
    return this.#held.expiresAtMs(this.#rule);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    const celsius = input.kind === 'position' ? input.cabinCelsius : undefined;
    const lost = this.#held.expire(input.atMs, this.#rule);
    if (celsius === undefined) return lost;
    const side = facts.isScheduled ? this.#sideOf(celsius) : undefined;
    // A change of sides is another event, with another limit.
    const ended = this.#side !== undefined && side !== this.#side ? this.#held.end(this.#rule) : NO_SIGNALS;
    this.#side = side;
    const worst = worseOf(side, this.#held.worst, celsius);
    const signals = this.#held.step(side !== undefined, input.atMs, this.#rule, worst);
    return joined(
      joined(lost, ended),
      side === 'below' ? signals.map((signal) => this.#withLowLimit(signal)) : signals,
    );
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
  }

  #sideOf(celsius: number): Side | undefined {
    const { threshold, lowThreshold } = this.#rule;
    // The side isn't known for a condition that was raised before the gateway started.
    const slackAbove = this.#held.isRaised && this.#side !== 'below' ? this.#hysteresis : 0;
    const slackBelow = this.#held.isRaised && this.#side !== 'above' ? this.#hysteresis : 0;
    if (celsius > threshold - slackAbove) return 'above';
    return celsius < lowThreshold + slackBelow ? 'below' : undefined;
  }

  #withLowLimit(signal: Signal): Signal {
    return signal.form === 'begin' ? { ...signal, limit: this.#rule.lowThreshold } : signal;
  }
}

function worseOf(side: Side | undefined, worst: number | undefined, celsius: number): number {
  if (worst === undefined) return celsius;
  return side === 'above' ? Math.max(worst, celsius) : Math.min(worst, celsius);
}
