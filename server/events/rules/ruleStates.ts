import type { Signal } from '../signals/signal.ts';
import { DeviceFacts } from './deviceFacts.ts';
import { inputBit, type OpenCondition, type PreparedRule, type RuleState } from './rule.ts';
import type { RuleInput } from './ruleInput.ts';
import { joined, NO_SIGNALS } from './ruleSignals.ts';

/** A position that is older than the last one by less than this was overtaken. If by more, the gateway's clock was set back. */
const OVERTAKEN_MS = 60_000;

const TICK_BIT = inputBit('tick');

/** The states of a device's rules along one course of time: the gateway's, or that of late positions. */
export class RuleStates {
  /** When a tick is needed; Infinity for never. */
  dueAtMs = Number.POSITIVE_INFINITY;
  readonly #isLate: boolean;
  readonly #facts = new DeviceFacts();
  #rules: readonly PreparedRule[] = [];
  /** The states at the indexes of the rules; undefined for those that don't judge late positions, where these are late. */
  #states: readonly (RuleState | undefined)[] = [];

  constructor(isLate: boolean) {
    this.#isLate = isLate;
  }

  /** `rules`: those that are on. A rule that is new or has other settings starts over; its previously raised conditions end. */
  evaluate(input: RuleInput, rules: readonly PreparedRule[]): readonly Signal[] {
    const ended = rules === this.#rules ? NO_SIGNALS : this.#use(rules);
    const found = this.#isOvertaken(input) ? NO_SIGNALS : this.#step(input);
    this.dueAtMs = this.#nextDueMs();
    return joined(ended, found);
  }

  /** Ends all raised conditions. */
  end(): readonly Signal[] {
    return this.#states.flatMap((state) => state?.end() ?? NO_SIGNALS);
  }

  /** Resumes a condition that was raised before the gateway started. False where no rule is on for it. */
  resume(open: OpenCondition, rules: readonly PreparedRule[], atMs: number): boolean {
    if (rules !== this.#rules) this.#use(rules);
    const state = this.#states[rules.findIndex(({ code }) => code === open.type)];
    state?.resume(open, atMs);
    // The time without a report is counted from the start: the gateway itself was away.
    this.#facts.lastAtMs = atMs;
    this.dueAtMs = this.#nextDueMs();
    return state !== undefined;
  }

  #use(rules: readonly PreparedRule[]): readonly Signal[] {
    const known = new Map(this.#rules.map((rule, at) => [rule.key, this.#states[at]]));
    this.#rules = rules;
    this.#states = rules.map((rule) => {
      const state = known.get(rule.key);
      known.delete(rule.key);
      if (this.#isLate && !rule.rule.isForLate) return undefined;
      return state ?? rule.rule.start(rule, this.#facts);
    });
    return [...known.values()].flatMap((state) => state?.end() ?? NO_SIGNALS);
  }

  #isOvertaken({ kind, atMs }: RuleInput): boolean {
    const behindMs = this.#facts.lastAtMs - atMs;
    return kind === 'position' && behindMs > 0 && behindMs < OVERTAKEN_MS;
  }

  #step(input: RuleInput): readonly Signal[] {
    const bit = inputBit(input.kind);
    let signals = NO_SIGNALS;
    this.#facts.before(input);
    for (let at = 0; at < this.#rules.length; at++) {
      const rule = this.#rules[at];
      const state = this.#states[at];
      if (rule === undefined || state === undefined) continue;
      const isGiven = bit === TICK_BIT ? state.dueAtMs <= input.atMs : (rule.inputBits & bit) !== 0;
      if (!isGiven) continue;
      this.#facts.isScheduled = rule.schedule === undefined || rule.schedule.appliesAt(input.atMs);
      signals = joined(signals, state.step(input, this.#facts));
    }
    this.#facts.after(input);
    return signals;
  }

  #nextDueMs(): number {
    let dueAtMs = Number.POSITIVE_INFINITY;
    for (const state of this.#states) {
      if (state !== undefined && state.dueAtMs < dueAtMs) dueAtMs = state.dueAtMs;
    }
    return dueAtMs;
  }
}
