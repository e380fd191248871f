import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldUnits } from '../heldUnits.ts';
import { nextLookMs } from '../nextLook.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { InputKind, RuleInput } from '../ruleInput.ts';

export interface UnitRuleOptions {
  readonly input: InputKind;
  readonly isForLate: boolean;
  /** Bit n: the condition is met for unit n + 1. Undefined: the input says nothing about it. */
  bitsOf(input: RuleInput): number | undefined;
  /** Whether raised conditions end when the terminal is no longer connected; otherwise they last until the terminal says they end. */
  readonly endsOffline: boolean;
}

/** A rule with a condition for each channel or storage, which lasts until the device says otherwise. */
export function unitRule(options: UnitRuleOptions): Rule {
  return {
    inputs: [options.input, 'presence'],
    isForLate: options.isForLate,
    start: (rule) => new UnitState(rule, options),
  };
}

class UnitState implements RuleState {
  readonly #rule: PreparedRule;
  readonly #options: UnitRuleOptions;
  readonly #held = new HeldUnits();
  #bits = 0;
  #lookedAtMs = Number.NaN;

  constructor(rule: PreparedRule, options: UnitRuleOptions) {
    this.#rule = rule;
    this.#options = options;
  }

  get dueAtMs(): number {
    if (this.#bits === 0) return Number.POSITIVE_INFINITY;
    return nextLookMs(this.#rule, this.#held.raisedAtMs(this.#rule), this.#lookedAtMs);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    this.#bits = this.#bitsAfter(input, facts);
    this.#lookedAtMs = input.atMs;
    return this.#held.step(facts.isScheduled ? this.#bits : 0, input.atMs, this.#rule);
  }

  end(): readonly Signal[] {
    return this.#held.step(0, 0, this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
    this.#bits |= this.#held.raisedBits;
    this.#lookedAtMs = atMs;
  }

  #bitsAfter(input: RuleInput, { isOnline }: DeviceFacts): number {
    if (this.#options.endsOffline && isOnline === false) return 0;
    const bits = this.#options.bitsOf(input);
    if (bits !== undefined) return bits | 0;
    if (input.kind !== 'presence' || input.isOnline) return this.#bits;
    // There are no reports of it now: conditions that have not lasted long enough begin again.
    return this.#held.raisedBits;
  }
}
