// The events that a rule would have raised at a device in the last days, from its stored positions. The rules and
// trackers themselves run over these: an estimate by threshold would ignore durations, schedules, the merge window and the event limit.
import { PREVIEW_DAYS, PREVIEW_POSITIONS_MAX, type RulePreview } from '../../../shared/protocol/api/eventConfig.ts';
import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import { hasRule, type RuleCode } from '../../../shared/protocol/events/ruleSettings.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Position, PositionStore } from '../../store/fleet/positions.ts';
import { detailsOf, positionInputOf } from '../rules/positionInput.ts';
import { RULES } from '../rules/registry.ts';
import type { Rule } from '../rules/rule.ts';
import { isLatePosition } from './lateness.ts';
import { TrialRun } from './trialRun.ts';

/**
 * Previews of event settings at a time: each reads hundreds of thousands of rows and evaluates them on the thread that relays media. A
 * further one is refused with 429 `too-many-previews`.
 */
export const PREVIEWS_LIMIT: Limit = { name: 'events.previews.all', max: 2 };

const DAY_MS = 86_400_000;
/** Positions that are read and evaluated before other work gets its turn: some milliseconds. */
const PART = 500;
const SLICE_MS = 3_600_000;

export interface RulePreviewsDeps {
  readonly positions: Pick<PositionStore, 'scan' | 'timeOfLatest'>;
  readonly now: () => number;
  /** Lets waiting work have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly onLimit: OnLimit;
}

export interface PreviewedRule {
  readonly code: RuleCode;
  readonly device: { readonly deviceId: string; readonly timeZone: string };
  /** The values of the preview at the device, and the present ones. */
  readonly values: EventRuleValues;
  readonly valuesNow: EventRuleValues;
}

/** Whether the rule depends on positions alone: other reports of terminals are not kept. */
export function isPreviewed(code: string): code is RuleCode {
  if (!hasRule(code)) return false;
  const { inputs }: Rule = RULES[code];
  return inputs.includes('position') && inputs.every((input) => input === 'position' || input === 'presence');
}

export class RulePreviews {
  readonly #deps: RulePreviewsDeps;
  readonly #running: KeyedCount;

  constructor(deps: RulePreviewsDeps) {
    this.#deps = deps;
    this.#running = new KeyedCount(PREVIEWS_LIMIT, deps.onLimit);
  }

  /** Undefined while the maximum of previews is running. */
  async preview(rule: PreviewedRule): Promise<RulePreview | undefined> {
    const leave = this.#running.enter('');
    if (leave === undefined) return undefined;
    try {
      return await this.#run(rule);
    } finally {
      leave();
    }
  }

  async #run({ code, device, values, valuesNow }: PreviewedRule): Promise<RulePreview> {
    const toMs = this.#deps.now();
    const range = { fromMs: toMs - PREVIEW_DAYS * DAY_MS, toMs };
    const { deviceId, timeZone } = device;
    const firstLeftOutMs = await this.#deps.positions.timeOfLatest(deviceId, range, PREVIEW_POSITIONS_MAX + 1);
    const fromMs = firstLeftOutMs === undefined ? range.fromMs : firstLeftOutMs + 1;
    const run = new TrialRun(code, values, timeZone);
    const runNow = new TrialRun(code, valuesNow, timeZone);
    const runs = [run, runNow];
    let positions = 0;
    let before: Position | undefined;
    for await (const position of this.#positions(deviceId, { fromMs, toMs })) {
      const input = positionInputOf(position, detailsOf(position), isLatePosition(position, before));
      await this.#tickUntil(input.receivedAtMs, runs);
      for (const each of runs) each.take(input);
      before = position;
      positions++;
    }
    await this.#tickUntil(toMs, runs);
    const begins = run.begins.map(wallMs);
    return { events: run.count, eventsNow: runNow.count, positions, isPartial: firstLeftOutMs !== undefined, begins };
  }

  /** Works in slices: a rule with a schedule looks each minute at a vehicle that was away for days. */
  async #tickUntil(untilMs: number, runs: readonly TrialRun[]): Promise<void> {
    let dueMs = nextTickOf(runs);
    while (dueMs <= untilMs) {
      for (const run of runs) run.tickUntil(Math.min(dueMs + SLICE_MS, untilMs));
      const nextMs = nextTickOf(runs);
      if (nextMs <= dueMs) return;
      dueMs = nextMs;
      if (dueMs <= untilMs) await this.#deps.nextTurn();
    }
  }

  /** The positions in the order of the device's clock. */
  async *#positions(deviceId: string, range: { fromMs: number; toMs: number }): AsyncGenerator<Position> {
    for await (const part of this.#deps.positions.scan(deviceId, range, PART)) {
      yield* part;
      await this.#deps.nextTurn();
    }
  }
}

function nextTickOf(runs: readonly TrialRun[]): number {
  return Math.min(...runs.map(({ nextTickAtMs }) => nextTickAtMs));
}
