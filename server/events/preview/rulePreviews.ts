// What a rule would have raised at a device in the last days, from its stored positions.
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

/** Each reads hundreds of thousands of rows and evaluates them on the thread that relays media. */
export const PREVIEWS_LIMIT: Limit = { name: 'events.previews.all', max: 2 };

const DAY_MS = 86_400_000;
/** Read, and evaluated, before anything else has its turn: some milliseconds. */
const PART = 500;
const SLICE_MS = 3_600_000;

export interface RulePreviewsDeps {
  readonly positions: Pick<PositionStore, 'scan' | 'timeOfLatest'>;
  readonly now: () => number;
  /** Lets what waits have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly onLimit: OnLimit;
}

export interface PreviewedRule {
  readonly code: RuleCode;
  readonly device: { readonly deviceId: string; readonly timeZone: string };
  /** What would hold at the device, and what holds now. */
  readonly values: EventRuleValues;
  readonly valuesNow: EventRuleValues;
}

/** Whether positions are all that the rule goes by. What else terminals report is not kept. */
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

  /** Undefined while as many as allowed are running. */
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

  /** In slices: a vehicle that was away for days is looked at each minute by a rule with a schedule. */
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

  /** By the device's clock. */
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
