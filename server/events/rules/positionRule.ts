import type { Signal } from '../signals/signal.ts';
import { type DeviceFacts, GAP_MS } from './deviceFacts.ts';
import { HeldCondition } from './heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from './rule.ts';
import type { PositionInput, RuleInput } from './ruleInput.ts';

/** Whether a position meets the condition; undefined where it doesn't say. */
export type PositionCheck = (position: PositionInput, facts: DeviceFacts, rule: PreparedRule) => boolean | undefined;

/** A rule that judges each position by itself. */
export function positionRule(isMet: PositionCheck): Rule {
  return {
    inputs: ['position'],
    isForLate: true,
    gapMs: GAP_MS,
    start: (rule) => new PositionState(rule, isMet),
  };
}

class PositionState implements RuleState {
  readonly #rule: PreparedRule;
  readonly #isMet: PositionCheck;
  readonly #held = new HeldCondition();

  constructor(rule: PreparedRule, isMet: PositionCheck) {
    this.#rule = rule;
    this.#isMet = isMet;
  }

  get dueAtMs(): number {
    return this.#held.expiresAtMs(this.#rule);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    const isMet = input.kind === 'position' ? this.#isMet(input, facts, this.#rule) : undefined;
    if (isMet === undefined) return this.#held.expire(input.atMs, this.#rule);
    return this.#held.step(isMet && facts.isScheduled, input.atMs, this.#rule);
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
  }
}
