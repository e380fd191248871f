// Plays a table of inputs to the rules of one device, with a tick whenever they ask for one, and writes down what they say.
import { DeviceRules } from '../../../../../server/events/rules/deviceRules.ts';
import { prepareRule } from '../../../../../server/events/rules/prepareRule.ts';
import type { PreparedRule } from '../../../../../server/events/rules/rule.ts';
import type { PositionInput, RuleInput } from '../../../../../server/events/rules/ruleInput.ts';
import type { Signal } from '../../../../../server/events/signals/signal.ts';
import {
  type RuleCode,
  type RuleSettings,
  suggestedSettings,
} from '../../../../../shared/protocol/events/ruleSettings.ts';

/** Monday, midnight in UTC. */
export const START_MS = Date.UTC(2026, 10, 23);
/** A degree of latitude is 111 km. */
export const METER = 1 / 111_320;

/** `at`: seconds from the start. What is left out is that of a vehicle that drives. */
export type PositionStep = Partial<Omit<PositionInput, 'kind' | 'atMs'>> & { readonly at: number };
type OtherInput = Exclude<RuleInput, PositionInput>;
type OtherStep = { [Kind in OtherInput['kind']]: { readonly at: number } & Omit<OtherInput & { kind: Kind }, 'atMs'> };
export type Step = PositionStep | OtherStep[OtherInput['kind']];

export function positionAt(step: PositionStep): PositionInput {
  const { at, ...rest } = step;
  const atMs = START_MS + at * 1_000;
  return {
    kind: 'position',
    atMs,
    deviceTimeMs: atMs,
    receivedAtMs: atMs,
    isLate: false,
    hasFix: true,
    latitude: 25,
    longitude: 121.5,
    speedKmh: 50,
    ignitionOn: true,
    fuelLiters: undefined,
    cabinCelsius: undefined,
    videoLostBits: undefined,
    storageFaultBits: undefined,
    ...rest,
  };
}

export function inputOf(step: Step): RuleInput {
  if (!('kind' in step)) return positionAt(step);
  const { at, ...rest } = step;
  return { ...rest, atMs: START_MS + at * 1_000 };
}

export function ruleOf(code: RuleCode, settings: RuleSettings = {}, timeZone = 'UTC'): PreparedRule {
  return prepareRule(code, { ...suggestedSettings(code), ...settings }, timeZone);
}

/** One input after the other; before each, the ticks that are due by then. */
export class RulesPlayer {
  readonly device = new DeviceRules();
  /** All signals, each with the time of its input. */
  readonly said: { readonly atMs: number; readonly signal: Signal }[] = [];

  play(input: RuleInput, rules: readonly PreparedRule[]): void {
    this.tickUntil(input.kind === 'position' ? input.receivedAtMs : input.atMs, rules);
    this.note(input.atMs, this.device.evaluate(input, rules));
  }

  tickUntil(untilMs: number, rules: readonly PreparedRule[]): void {
    for (let dueMs = this.device.nextTickAtMs; dueMs <= untilMs; dueMs = this.device.nextTickAtMs) {
      const late = this.device.endLate(dueMs);
      this.note(late?.atMs ?? dueMs, late?.signals ?? []);
      this.note(dueMs, this.device.evaluate({ kind: 'tick', atMs: dueMs }, rules));
      if (this.device.nextTickAtMs <= dueMs) throw new Error(`still due after the tick at ${secondsOf(dueMs)}`);
    }
  }

  note(atMs: number, signals: readonly Signal[]): void {
    for (const signal of signals) this.said.push({ atMs, signal });
  }

  /** `30 begin, 112 of 100, since 20`: times in seconds from the start. */
  lines(): string[] {
    return this.said.map(({ atMs, signal }) => {
      const { form, unit, area, value, limit, sinceMs } = signal;
      const place = `${unit > 0 ? ` of ${unit}` : ''}${area > 0 ? ` in ${area}` : ''}`;
      const measured = value === undefined ? '' : `, ${value}${limit === undefined ? '' : ` of ${limit}`}`;
      const since = sinceMs === undefined ? '' : `, since ${secondsOf(sinceMs)}`;
      return `${secondsOf(atMs)} ${form}${place}${measured}${since}`;
    });
  }
}

function secondsOf(atMs: number): number {
  return (atMs - START_MS) / 1_000;
}

export interface PlayOptions {
  readonly settings?: RuleSettings;
  readonly timeZone?: string;
}

export function playRule(code: RuleCode, steps: readonly Step[], { settings, timeZone }: PlayOptions = {}): string[] {
  const player = new RulesPlayer();
  const rules = [ruleOf(code, settings, timeZone)];
  for (const step of steps) player.play(inputOf(step), rules);
  return player.lines();
}

/** The same position each `every` seconds, from `from` to `to`, both included. */
export function every(seconds: number, from: number, to: number, rest: Omit<PositionStep, 'at'> = {}): PositionStep[] {
  return Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, at) => ({
    ...rest,
    at: from + at * seconds,
  }));
}
