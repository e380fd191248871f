import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { joined, NO_SIGNALS } from '../ruleSignals.ts';

const MINUTE_MS = 60_000;

/** The vehicle is driven for longer than the threshold without a rest as long as the clear threshold. */
export const continuousDriving: Rule = {
  inputs: ['position'],
  isForLate: true,
  start: (rule) => new ContinuousDriving(rule),
};

class ContinuousDriving implements RuleState {
  readonly #rule: PreparedRule;
  readonly #restMs: number;
  readonly #held = new HeldCondition();
  #drivenMs = 0;
  #movedAtMs = Number.NaN;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
    this.#restMs = rule.clearThreshold * MINUTE_MS;
  }

  get dueAtMs(): number {
    return this.#held.isRaised ? this.#movedAtMs + this.#restMs : Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind === 'position') return this.#judge(input, facts);
    // Only the next position tells whether it rests or just can't be heard: the driving until then still counts.
    return input.atMs >= this.dueAtMs ? this.#held.end(this.#rule, this.#movedAtMs) : NO_SIGNALS;
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
    this.#drivenMs = this.#rule.threshold * MINUTE_MS;
    this.#movedAtMs = atMs;
  }

  #judge(position: PositionInput, facts: DeviceFacts): readonly Signal[] {
    const { atMs } = position;
    const isMoving = facts.motion === 'moving';
    const wasDriven = facts.isGap ? !hasStayed(position, facts) : isMoving;
    const rested = !wasDriven && atMs - this.#movedAtMs >= this.#restMs ? this.#rest() : NO_SIGNALS;
    if (facts.wasDriving && facts.isDriving) this.#drivenMs += facts.sinceLastMs;
    if (wasDriven || isMoving) this.#movedAtMs = atMs;
    const isTooLong = this.#drivenMs >= this.#rule.threshold * MINUTE_MS && facts.isScheduled;
    // Nothing begins at a stop: it may be the rest.
    if (isTooLong && !isMoving) return rested;
    return joined(rested, this.#held.step(isTooLong, atMs, this.#rule, Math.round(this.#drivenMs / MINUTE_MS)));
  }

  #rest(): readonly Signal[] {
    this.#drivenMs = 0;
    return this.#held.end(this.#rule, this.#movedAtMs);
  }
}

/** Whether a gap was a rest. Terminals that wake up in a garage have no fix yet. */
function hasStayed(position: PositionInput, facts: DeviceFacts): boolean {
  return position.hasFix ? facts.hasStayed(position) : facts.motion !== 'moving';
}
