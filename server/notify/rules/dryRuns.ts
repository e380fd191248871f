// Counts the messages that a rule would have sent in the last days, from the stored events.
import { DRY_RUN_DAYS, type DryRun, type NotifyRuleContent } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { dayStarts } from '../../../shared/protocol/timeZones.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { PastEvent, PastEventStore } from '../../store/notify/pastEvents.ts';
import type { NotifyFacts } from './notifyFacts.ts';
import { type PreparedRule, prepareRule } from './ruleIndex.ts';
import { TrialRule } from './trialRule.ts';

/**
 * Dry runs of a notification rule at a time: each reads and evaluates many events on the thread that relays media. A further one is refused
 * with 429 `too-many-previews`.
 */
export const DRY_RUNS_LIMIT: Limit = { name: 'notify.dryruns.all', max: 1 };
/** Events of a dry run. The earliest are left out, and the answer says so. */
export const DRY_RUN_EVENTS_LIMIT: Limit = { name: 'notify.events.dryrun', max: 100_000 };
const DAY_MS = 86_400_000;
const PART = 2_000;
/** Moments that are evaluated before other work gets its turn: some milliseconds. */
const WORK_AT_ONCE = 1_000;
/** Maximum of moments: repeats to many members with quiet hours of their own could take minutes. */
const MOST_WORK = 2_000_000;

export interface DryRunsDeps {
  readonly settings: { readonly facts: NotifyFacts };
  readonly events: PastEventStore;
  readonly now: () => number;
  /** Lets waiting work have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly onLimit: OnLimit;
}

export interface WantedDryRun {
  readonly content: NotifyRuleContent;
  readonly memberGroup: number;
}

export class DryRuns {
  readonly #deps: DryRunsDeps;
  readonly #running: KeyedCount;

  constructor(deps: DryRunsDeps) {
    this.#deps = deps;
    this.#running = new KeyedCount(DRY_RUNS_LIMIT, deps.onLimit);
  }

  /** Undefined while another dry run is in progress. */
  async run(wanted: WantedDryRun): Promise<DryRun | undefined> {
    const leave = this.#running.enter('');
    if (leave === undefined) return undefined;
    try {
      return await this.#run(wanted);
    } finally {
      leave();
    }
  }

  async #run({ content, memberGroup }: WantedDryRun): Promise<DryRun> {
    const nowMs = this.#deps.now();
    const { facts } = this.#deps.settings;
    const prepared = preparedFor(content, memberGroup, facts);
    const days = daysBefore(nowMs, content.timeZone);
    const { events, isCut } = await this.#events(prepared, { fromMs: days[0]?.fromMs ?? nowMs, toMs: nowMs });
    const onMessages = (dueAtMs: number, count: number): void => {
      const day = days.findLast(({ fromMs }) => fromMs <= dueAtMs);
      if (day !== undefined && dueAtMs <= nowMs) day.messages += count;
    };
    const trial = new TrialRule({ prepared, facts, nowMs, onMessages });
    const isWhole = await this.#weigh(trial, events);
    return {
      events: trial.matched,
      days: days.map(({ fromMs, messages }) => ({ fromMs: wallMs(fromMs), messages })),
      isCut: isCut || !isWhole,
    };
  }

  /** Events of the rule's member group and types, the earliest first. It is no longer known how late the late ones were. */
  async #events(
    { rule }: PreparedRule,
    period: { readonly fromMs: number; readonly toMs: number },
  ): Promise<{ readonly events: readonly PastEvent[]; readonly isCut: boolean }> {
    const { memberGroup, coversGateway, types } = rule;
    const wanted = { ...period, memberGroup, seesGateway: coversGateway, types };
    const found: PastEvent[] = [];
    while (found.length <= DRY_RUN_EVENTS_LIMIT.max) {
      const part = await this.#deps.events.latest(wanted, PART, found.at(-1));
      found.push(...part);
      if (part.length < PART) break;
      await this.#deps.nextTurn();
    }
    const isCut = found.length > DRY_RUN_EVENTS_LIMIT.max;
    if (isCut) this.#deps.onLimit(DRY_RUN_EVENTS_LIMIT);
    return { events: found.slice(0, DRY_RUN_EVENTS_LIMIT.max).reverse(), isCut };
  }

  /** Returns whether all of them could be evaluated. */
  async #weigh(trial: TrialRule, events: readonly PastEvent[]): Promise<boolean> {
    let turnAt = WORK_AT_ONCE;
    for (const event of events) {
      trial.take(event);
      if (trial.work > MOST_WORK) return false;
      if (trial.work < turnAt) continue;
      await this.#deps.nextTurn();
      turnAt = trial.work + WORK_AT_ONCE;
    }
    return true;
  }
}

/** Prepares the rule as if it were on. */
function preparedFor(content: NotifyRuleContent, memberGroup: number, { parents }: NotifyFacts): PreparedRule {
  const stored = { ...content, enabled: true, id: 0, version: 1, memberGroup, changedAtMs: wallMs(0), changedBy: '' };
  return prepareRule(stored, parents);
}

/** Today and the days before it, by the rule's clock. */
function daysBefore(nowMs: number, timeZone: string): { readonly fromMs: number; messages: number }[] {
  const starts = dayStarts(nowMs - (DRY_RUN_DAYS - 1) * DAY_MS, nowMs + 1, timeZone);
  const begun = starts.filter((fromMs) => fromMs <= nowMs).slice(-DRY_RUN_DAYS);
  return begun.map((fromMs) => ({ fromMs, messages: 0 }));
}
