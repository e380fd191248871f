import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS } from '../ruleSignals.ts';

/** Number of consecutive positions, and the time that they must span, to be judged as one. */
const POSITIONS = 3;
const POSITIONS_MS = 30_000;
/** A wrong clock is always wrong by the same amount; positions that the network held up are late by different times. */
const STEADY_MS = 10_000;

/** The device's clock differs from the gateway's by more than the threshold. */
export const wrongClock: Rule = {
  inputs: ['position'],
  isForLate: false,
  start: (rule) => new WrongClock(rule),
};

class WrongClock implements RuleState {
  readonly #rule: PreparedRule;
  readonly #held = new HeldCondition();
  /** Number of consecutive positions with the same difference, or without any. */
  #count = 0;
  #isWrong = false;
  #fromMs = Number.NaN;
  #offsetMs = Number.NaN;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
  }

  get dueAtMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    // A repeated position doesn't count again.
    if (input.kind !== 'position' || facts.sinceLastMs === 0) return NO_SIGNALS;
    if (!facts.isScheduled) return this.#held.end(this.#rule);
    const offsetMs = input.deviceTimeMs - input.receivedAtMs;
    this.#note(input, offsetMs);
    if (this.#count < POSITIONS || input.atMs - this.#fromMs < POSITIONS_MS) return NO_SIGNALS;
    const worstS = Math.max(this.#held.worst ?? 0, Math.round(Math.abs(offsetMs) / 1_000));
    return this.#held.step(this.#isWrong, input.atMs, this.#rule, worstS);
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
  }

  #note({ atMs }: PositionInput, offsetMs: number): void {
    const isWrong = Math.abs(offsetMs) > this.#rule.threshold * 1_000;
    const isAlike = isWrong === this.#isWrong && (!isWrong || Math.abs(offsetMs - this.#offsetMs) <= STEADY_MS);
    this.#count = isAlike ? this.#count + 1 : 1;
    if (this.#count > 1) return;
    this.#isWrong = isWrong;
    this.#fromMs = atMs;
    this.#offsetMs = offsetMs;
  }
}
