import type { Signal } from '../signals/signal.ts';
import type { OpenCondition, PreparedRule } from './rule.ts';
import { joined, NO_SIGNALS, ruleSignal } from './ruleSignals.ts';

interface Ongoing {
  sinceMs: number;
  /** When it was last seen. */
  seenAtMs: number;
  worst: number | undefined;
  isRaised: boolean;
}

/** A condition that has to last for the rule's duration before it is raised. It takes memory only while it is met. */
export class HeldCondition {
  #ongoing: Ongoing | undefined;

  get isRaised(): boolean {
    return this.#ongoing?.isRaised === true;
  }

  /** Whether it is met, raised or not yet. */
  get isOngoing(): boolean {
    return this.#ongoing !== undefined;
  }

  /** The worst value since it began, as the rule gave it. */
  get worst(): number | undefined {
    return this.#ongoing?.worst;
  }

  /** `worst`: for a rule that measures, the worst value since the condition began, this one included. */
  step(isMet: boolean, atMs: number, rule: PreparedRule, worst?: number): readonly Signal[] {
    if (this.#ongoing === undefined && !isMet) return NO_SIGNALS;
    const lost = this.expire(atMs, rule);
    if (!isMet) return joined(lost, this.end(rule));
    this.#ongoing ??= begun(atMs);
    const ongoing = this.#ongoing;
    // The gateway's clock may have been set back.
    if (atMs < ongoing.sinceMs) ongoing.sinceMs = atMs;
    ongoing.seenAtMs = atMs;
    ongoing.worst = worst;
    if (ongoing.isRaised || atMs - ongoing.sinceMs < rule.durationMs) return lost;
    ongoing.isRaised = true;
    return joined(lost, [ruleSignal(rule, 'begin', { value: worst, sinceMs: ongoing.sinceMs })]);
  }

  /** Begins a condition that has been met since then, before it was first looked at. */
  begin(sinceMs: number): void {
    this.#ongoing ??= begun(sinceMs);
  }

  /** Ends the condition where it wasn't seen for too long. */
  expire(atMs: number, rule: PreparedRule): readonly Signal[] {
    const ongoing = this.#ongoing;
    if (ongoing === undefined || atMs - ongoing.seenAtMs < rule.gapMs) return NO_SIGNALS;
    return this.end(rule, ongoing.seenAtMs);
  }

  /** `sinceMs`: when the condition was over, where that was earlier. */
  end(rule: PreparedRule, sinceMs?: number): readonly Signal[] {
    const ongoing = this.#ongoing;
    this.#ongoing = undefined;
    return ongoing?.isRaised === true ? [ruleSignal(rule, 'end', { value: ongoing.worst, sinceMs })] : NO_SIGNALS;
  }

  resume({ sinceMs }: OpenCondition, atMs: number): void {
    this.#ongoing = begun(sinceMs);
    this.#ongoing.seenAtMs = atMs;
    this.#ongoing.isRaised = true;
  }

  /** When a gap ends the condition. One that isn't raised yet is dropped with the next input, and needs no tick. */
  expiresAtMs({ gapMs }: PreparedRule): number {
    const ongoing = this.#ongoing;
    return ongoing?.isRaised === true ? ongoing.seenAtMs + gapMs : Number.POSITIVE_INFINITY;
  }

  /** When the condition has lasted long enough; Infinity where it isn't met, or is raised already. */
  raisedAtMs({ durationMs }: PreparedRule): number {
    const ongoing = this.#ongoing;
    return ongoing?.isRaised === false ? ongoing.sinceMs + durationMs : Number.POSITIVE_INFINITY;
  }
}

function begun(sinceMs: number): Ongoing {
  return { sinceMs, seenAtMs: sinceMs, worst: undefined, isRaised: false };
}
