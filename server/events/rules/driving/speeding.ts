import type { Signal } from '../../signals/signal.ts';
import { type DeviceFacts, GAP_MS } from '../deviceFacts.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { joined, NO_SIGNALS } from '../ruleSignals.ts';

/** The vehicle is faster than the limit: the rule's own, and that of each area that it is in. */
export const speeding: Rule = {
  inputs: ['position'],
  isForLate: true,
  gapMs: GAP_MS,
  start: (rule) => new Speeding(rule),
};

class Speeding implements RuleState {
  readonly #rule: PreparedRule;
  readonly #everywhere = new HeldCondition();
  /** Areas whose limit is exceeded, by number; undefined while there are none. */
  #areas: Map<number, HeldCondition> | undefined;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
  }

  get dueAtMs(): number {
    let dueAtMs = this.#everywhere.expiresAtMs(this.#rule);
    if (this.#areas === undefined) return dueAtMs;
    for (const held of this.#areas.values()) dueAtMs = Math.min(dueAtMs, held.expiresAtMs(this.#rule));
    return dueAtMs;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    // Without a fix, the speed is often the last known one.
    if (input.kind !== 'position' || !input.hasFix || input.speedKmh === undefined) return this.#expire(input.atMs);
    const everywhere = this.#judge(this.#everywhere, input, this.#rule.threshold, facts);
    return joined(everywhere, this.#judgeAreas(input, facts));
  }

  end(): readonly Signal[] {
    return joined(
      this.#everywhere.end(this.#rule),
      this.#eachArea((held) => held.end(this.#rule)),
    );
  }

  resume(open: OpenCondition, atMs: number): void {
    const held = open.area === 0 ? this.#everywhere : new HeldCondition();
    held.resume(open, atMs);
    if (open.area !== 0) this.#setArea(open.area, held);
  }

  #expire(atMs: number): readonly Signal[] {
    return joined(
      this.#everywhere.expire(atMs, this.#rule),
      this.#eachArea((held) => held.expire(atMs, this.#rule)),
    );
  }

  #judge(held: HeldCondition, position: PositionInput, limitKmh: number, facts: DeviceFacts): readonly Signal[] {
    const { atMs, speedKmh = 0 } = position;
    const lost = held.expire(atMs, this.#rule);
    const isOver = facts.isScheduled && speedKmh > (held.isRaised ? limitKmh - hysteresisOf(this.#rule) : limitKmh);
    const worstKmh = Math.max(held.worst ?? speedKmh, speedKmh);
    return joined(lost, held.step(isOver, atMs, this.#rule, worstKmh));
  }

  #judgeAreas(position: PositionInput, facts: DeviceFacts): readonly Signal[] {
    const { areaLimits = NO_LIMITS } = position;
    if (areaLimits.length === 0 && this.#areas === undefined) return NO_SIGNALS;
    const limits = new Map(areaLimits.map(({ area, speedKmh }) => [area, speedKmh]));
    for (const area of limits.keys()) this.#setArea(area, this.#areas?.get(area) ?? new HeldCondition());
    return this.#eachArea((held, area) => {
      const limit = limits.get(area);
      if (limit === undefined) return held.end(this.#rule);
      const signals = this.#judge(held, position, limit, facts);
      return signals.map((signal) => (signal.form === 'begin' ? { ...signal, limit } : signal));
    });
  }

  #setArea(area: number, held: HeldCondition): void {
    this.#areas ??= new Map<number, HeldCondition>();
    this.#areas.set(area, held);
  }

  #eachArea(change: (held: HeldCondition, area: number) => readonly Signal[]): readonly Signal[] {
    if (this.#areas === undefined) return NO_SIGNALS;
    const signals: Signal[] = [];
    for (const [area, held] of this.#areas) {
      for (const signal of change(held, area)) signals.push({ ...signal, area });
      if (!held.isOngoing) this.#areas.delete(area);
    }
    if (this.#areas.size === 0) this.#areas = undefined;
    return signals;
  }
}

const NO_LIMITS = [] as const;

/** How far below a limit the event ends. Fields are inherited one by one, so the clear threshold may be above the threshold. */
function hysteresisOf({ threshold, clearThreshold }: PreparedRule): number {
  return clearThreshold < threshold ? threshold - clearThreshold : 0;
}
