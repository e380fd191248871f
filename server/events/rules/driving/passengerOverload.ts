import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PassengersInput, PositionInput, RuleInput } from '../ruleInput.ts';

/** Door counters miss some passengers. After this time without a report, the sum is no longer usable. */
const GAP_MS = 30 * 60_000;
/** No more passengers than this pass the doors of a vehicle between two reports. */
const MAX_AT_ONCE = 1_000;

/** More passengers are on board than the threshold, by those who boarded and alighted since the ignition was last turned off. */
export const passengerOverload: Rule = {
  inputs: ['position', 'passengers'],
  isForLate: false,
  gapMs: GAP_MS,
  start: (rule) => new PassengerOverload(rule),
};

class PassengerOverload implements RuleState {
  readonly #rule: PreparedRule;
  readonly #held = new HeldCondition();
  #count = 0;
  #lastAtMs = Number.NaN;
  #periodEndMs = Number.NaN;
  #wasIgnitionOn = false;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
  }

  get dueAtMs(): number {
    return this.#held.expiresAtMs(this.#rule);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind !== 'passengers' && input.kind !== 'position') return this.#held.expire(input.atMs, this.#rule);
    const isGap = input.atMs - this.#lastAtMs >= GAP_MS;
    this.#lastAtMs = input.atMs;
    if (isGap) this.#count = 0;
    if (input.kind === 'passengers') this.#add(input);
    else this.#noteIgnition(input);
    const isTooMany = this.#count > this.#rule.threshold && facts.isScheduled;
    return this.#held.step(isTooMany, input.atMs, this.#rule, Math.max(this.#held.worst ?? 0, this.#count));
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
    // The number is no longer known; the event ends when the next passengers alight, at the earliest.
    this.#count = this.#rule.threshold + 1;
    this.#lastAtMs = atMs;
  }

  #add({ periodEndMs, boarded, alighted }: PassengersInput): void {
    if (periodEndMs === this.#periodEndMs || !isPossible(boarded) || !isPossible(alighted)) return;
    this.#periodEndMs = periodEndMs;
    // Passengers whose boarding was missed still alight.
    this.#count = Math.max(0, this.#count + boarded - alighted);
  }

  #noteIgnition({ ignitionOn }: PositionInput): void {
    if (this.#wasIgnitionOn && !ignitionOn) this.#count = 0;
    this.#wasIgnitionOn = ignitionOn;
  }
}

function isPossible(persons: number): boolean {
  return Number.isInteger(persons) && persons >= 0 && persons <= MAX_AT_ONCE;
}
