import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import { nextLookMs } from '../nextLook.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { joined, NO_SIGNALS } from '../ruleSignals.ts';

/** The vehicle stands, with the ignition on or off. */
export const parkedTooLong: Rule = {
  inputs: ['position', 'presence'],
  isForLate: true,
  start: (rule, facts) => new ParkedTooLong(rule, facts),
};

class ParkedTooLong implements RuleState {
  readonly #rule: PreparedRule;
  readonly #facts: DeviceFacts;
  readonly #held = new HeldCondition();
  #isParked = false;
  #wasIgnitionOff = false;
  #lookedAtMs = Number.NaN;

  constructor(rule: PreparedRule, facts: DeviceFacts) {
    this.#rule = rule;
    this.#facts = facts;
  }

  /**
   * With the ignition off, terminals report rarely, but one that is connected would report a drive. After a time without a
   * connection, the next position says where the vehicle is.
   */
  get dueAtMs(): number {
    const { isOnline, lastAtMs, presenceAtMs } = this.#facts;
    const wouldReport = this.#wasIgnitionOff && isOnline === true && lastAtMs >= presenceAtMs;
    if (!this.#isParked || !wouldReport) return Number.POSITIVE_INFINITY;
    return nextLookMs(this.#rule, this.#held.raisedAtMs(this.#rule), this.#lookedAtMs);
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind === 'presence') return NO_SIGNALS;
    const hasLeft = input.kind === 'position' && !this.#stays(input, facts);
    const ended = hasLeft ? this.#held.end(this.#rule, facts.lastAtMs) : NO_SIGNALS;
    if (input.kind === 'position' && facts.motion !== 'unknown') this.#isParked = facts.motion === 'still';
    this.#lookedAtMs = input.atMs;
    return joined(ended, this.#held.step(this.#isParked && facts.isScheduled, input.atMs, this.#rule));
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
    this.#isParked = true;
    this.#wasIgnitionOff = true;
    this.#lookedAtMs = atMs;
  }

  /**
   * Whether the vehicle was parked since the position before. Terminals sleep while the ignition is off, so a gap between
   * two such positions at the same place is parking too.
   */
  #stays(position: PositionInput, facts: DeviceFacts): boolean {
    const wasOff = this.#wasIgnitionOff;
    this.#wasIgnitionOff = !position.ignitionOn;
    const isSamePlace = !position.hasFix || Number.isNaN(facts.latitude) || facts.hasStayed(position);
    return isSamePlace && (!facts.isGap || (wasOff && !position.ignitionOn));
  }
}
