import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import { nextLookMs } from '../nextLook.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { RuleInput } from '../ruleInput.ts';

/** The terminal isn't connected. */
export const offline: Rule = {
  inputs: ['presence'],
  isForLate: false,
  start: (rule, facts) => new Offline(rule, facts),
};

class Offline implements RuleState {
  readonly #rule: PreparedRule;
  readonly #facts: DeviceFacts;
  readonly #held = new HeldCondition();
  #lookedAtMs: number | undefined;

  constructor(rule: PreparedRule, facts: DeviceFacts) {
    this.#rule = rule;
    this.#facts = facts;
  }

  get dueAtMs(): number {
    if (this.#facts.isOnline !== false) return Number.POSITIVE_INFINITY;
    // The device was already away when the rule was turned on.
    if (this.#lookedAtMs === undefined) return this.#facts.presenceAtMs;
    return nextLookMs(this.#rule, this.#held.raisedAtMs(this.#rule), this.#lookedAtMs);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    const isMet = facts.isOnline === false && facts.isScheduled;
    if (isMet && this.#lookedAtMs === undefined && this.#rule.schedule === undefined)
      this.#held.begin(facts.presenceAtMs);
    this.#lookedAtMs = input.atMs;
    return this.#held.step(isMet, input.atMs, this.#rule);
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
  }
}
