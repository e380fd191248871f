// Runs one rule over positions and collects the events that it would have raised.
import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import type { RuleCode } from '../../../shared/protocol/events/ruleSettings.ts';
import { activeRuleOf } from '../config/ruleDefaults.ts';
import { DeviceEvents } from '../engine/deviceEvents.ts';
import type { TrackingContext } from '../engine/eventTracker.ts';
import { NOWHERE } from '../engine/trackedEvent.ts';
import { DeviceRules } from '../rules/deviceRules.ts';
import { prepareRule } from '../rules/prepareRule.ts';
import type { PreparedRule } from '../rules/rule.ts';
import type { PositionInput } from '../rules/ruleInput.ts';
import type { Observation, Signal } from '../signals/signal.ts';

/** Number of the latest events whose begin is listed. */
const BEGINS_MAX = 10;
const NO_DEVICE = { deviceId: '', incarnation: 0, archiveNumber: 0 } as const;

/** Positions are taken in the order of the device's clock; the rules and trackers are those of the gateway's own events. */
export class TrialRun {
  readonly #rules: readonly PreparedRule[];
  readonly #deviceRules = new DeviceRules();
  readonly #events = new DeviceEvents(NO_DEVICE, () => undefined);
  readonly #context: TrackingContext;
  #count = 0;
  #begins: number[] = [];

  constructor(code: RuleCode, values: EventRuleValues, timeZone: string) {
    const settings = activeRuleOf(code, values);
    this.#rules = settings === undefined ? [] : [prepareRule(code, settings, timeZone)];
    const { severity, mergeSeconds, eventsAnHour } = values;
    const typeSettings = { severity, mergeMs: mergeSeconds * 1_000, eventsAnHour, rule: 0 };
    this.#context = {
      device: undefined,
      place: NOWHERE,
      driver: '',
      edition: '',
      settingsOf: () => typeSettings,
      localDayOf: () => 0,
    };
  }

  get count(): number {
    return this.#count;
  }

  /** Begins of the latest events, the latest first. */
  get begins(): number[] {
    return this.#begins.toSorted((left, right) => right - left);
  }

  /** Time for which the rule waits; Infinity: it waits for none. */
  get nextTickAtMs(): number {
    return this.#deviceRules.nextTickAtMs;
  }

  /** To be called after `tickUntil` with the position's time. */
  take(position: PositionInput): void {
    if (this.#rules.length === 0) return;
    const { atMs, deviceTimeMs, receivedAtMs, isLate } = position;
    const signals = this.#deviceRules.evaluate(position, this.#rules);
    this.#observe({ atMs, deviceTimeMs, isLate, covered: 0, signals }, receivedAtMs);
  }

  /** Finds what a rule that waits for a time would have found meanwhile. */
  tickUntil(untilMs: number): void {
    let lastMs = Number.NEGATIVE_INFINITY;
    let dueMs = this.#deviceRules.nextTickAtMs;
    while (dueMs <= untilMs && dueMs > lastMs) {
      const late = this.#deviceRules.endLate(dueMs);
      if (late !== undefined) this.#observe(late, dueMs);
      this.#observeTick(dueMs, this.#deviceRules.evaluate({ kind: 'tick', atMs: dueMs }, this.#rules));
      lastMs = dueMs;
      dueMs = this.#deviceRules.nextTickAtMs;
    }
  }

  #observeTick(atMs: number, signals: readonly Signal[]): void {
    this.#observe({ atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals }, atMs);
  }

  #observe(observation: Observation, nowMs: number): void {
    if (observation.signals.length === 0) return;
    this.#events.expire(nowMs);
    for (const { kind, event } of this.#events.observe(observation, this.#context, nowMs)) {
      if (kind !== 'begun') continue;
      this.#count++;
      this.#begins = [...this.#begins, event.beginAtMs].slice(-BEGINS_MAX);
    }
  }
}
