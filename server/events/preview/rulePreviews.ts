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

export interface RulePreviewsDeps {
  readonly positions: Pick<PositionStore, 'between' | 'timeOfLatest'>;
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
    const [run, runNow] = [new TrialRun(code, values, timeZone), new TrialRun(code, valuesNow, timeZone)];
    let positions = 0;
    let before: Position | undefined;
    for await (const position of this.#positions(deviceId, { fromMs, toMs })) {
      const input = positionInputOf(position, detailsOf(position), isLatePosition(position, before));
      run.take(input);
      runNow.take(input);
      before = position;
      positions++;
    }
    run.tickUntil(toMs);
    runNow.tickUntil(toMs);
    const begins = run.begins.map(wallMs);
    return { events: run.count, eventsNow: runNow.count, positions, isPartial: firstLeftOutMs !== undefined, begins };
  }

  /** By the device's clock. Those of one moment are found by their place in it, because a part may end among them. */
  async *#positions(deviceId: string, { fromMs, toMs }: { fromMs: number; toMs: number }): AsyncGenerator<Position> {
    let atMs = fromMs;
    let taken = 0;
    while (true) {
      const part = await this.#deps.positions.between(deviceId, { fromMs: atMs, toMs }, PART + taken);
      const fresh = part.slice(taken);
      yield* fresh;
      const lastMs = fresh.at(-1)?.deviceTimeMs;
      if (lastMs === undefined || part.length < PART + taken) return;
      taken = part.filter(({ deviceTimeMs }) => deviceTimeMs === lastMs).length;
      atMs = lastMs;
      await this.#deps.nextTurn();
    }
  }
}
