// Times in which data plans left recordings without video, so that their gaps can be told from others.
import type { PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { WithheldRow } from '../../store/netflow/withheldTimes.ts';
import { streamAnswer } from '../rules/planAnswers.ts';

interface Running {
  readonly fromMs: number;
  readonly isAll: boolean;
}

/**
 * Times in memory in which plans left recordings without video, while the database takes nothing. A further time keeps the end that was
 * last written for it.
 */
export const HELD_WITHHELD_LIMIT: Limit = { name: 'netflow.held-withheld.all', max: 100_000 };

export class WithheldBook {
  readonly #onLimit: OnLimit;
  /** The running time of each known device. */
  readonly #running = new Map<number, Running>();
  /** Ended times that are not written yet. */
  #ended: WithheldRow[] = [];

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** `action`: the device's action from now on. */
  change(incarnation: number, action: PlanAction, nowMs: number): void {
    const before = this.#running.get(incarnation);
    const scope = withheldScope(action);
    if (before?.isAll === scope?.isAll) return;
    if (before !== undefined) this.#end({ incarnation, ...before, toMs: nowMs });
    if (scope === undefined) this.#running.delete(incarnation);
    else this.#running.set(incarnation, { ...scope, fromMs: nowMs });
  }

  #end(row: WithheldRow): void {
    if (this.#ended.length >= HELD_WITHHELD_LIMIT.max) this.#onLimit(HELD_WITHHELD_LIMIT);
    else this.#ended.push(row);
  }

  forget(incarnation: number): void {
    this.#running.delete(incarnation);
  }

  /** Running times are written up to now, again and again: repeating a write changes nothing. */
  unwritten(nowMs: number): WithheldRow[] {
    const running = [...this.#running].map(([incarnation, each]) => ({ incarnation, ...each, toMs: nowMs }));
    return [...this.#ended, ...running];
  }

  written(rows: readonly WithheldRow[]): void {
    const done = new Set(rows);
    this.#ended = this.#ended.filter((row) => !done.has(row));
  }
}

/** Undefined where scheduled recordings continue in either quality. */
function withheldScope(action: PlanAction): Pick<Running, 'isAll'> | undefined {
  if (streamAnswer(action, 'main', 'recorder').ok) return undefined;
  return { isAll: !streamAnswer(action, 'sub', 'recorder').ok };
}
