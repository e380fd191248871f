import type { Signal } from '../../signals/signal.ts';
import { type DeviceFacts, GAP_MS, isDrivingOn } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS } from '../ruleSignals.ts';

/** The vehicle is driven without a driver card. Late positions are not judged: it isn't known when a card was read in that time. */
export const noDriverCard: Rule = {
  inputs: ['position', 'driver-card'],
  isForLate: false,
  gapMs: GAP_MS,
  start: (rule) => new NoDriverCard(rule),
};

class NoDriverCard implements RuleState {
  readonly #rule: PreparedRule;
  readonly #held = new HeldCondition();
  /**
   * Terminals report a card when it is inserted, not again. Until they report one, or the ignition is turned on without one, it isn't
   * known whether there is a card.
   */
  #card: 'unknown' | 'read' | 'none' = 'unknown';
  #wasIgnitionOff = false;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
  }

  get dueAtMs(): number {
    return this.#held.expiresAtMs(this.#rule);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind === 'driver-card') {
      this.#card = input.isRead ? 'read' : 'none';
      return input.isRead ? this.#held.end(this.#rule) : NO_SIGNALS;
    }
    if (input.kind === 'position') {
      if (this.#card === 'unknown' && this.#wasIgnitionOff && input.ignitionOn) this.#card = 'none';
      this.#wasIgnitionOff = !input.ignitionOn;
    }
    const isDriving = input.kind === 'position' ? isDrivingOn(facts) : undefined;
    if (isDriving === undefined) return this.#held.expire(input.atMs, this.#rule);
    const isMet = isDriving && this.#card === 'none' && facts.isScheduled;
    return this.#held.step(isMet, input.atMs, this.#rule);
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
    this.#card = 'none';
  }
}
