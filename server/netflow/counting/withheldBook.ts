// When data plans left recordings without video, so that their gaps can be told from others.
import type { PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { WithheldRow } from '../../store/netflow/withheldTimes.ts';
import { streamAnswer } from '../rules/planAnswers.ts';

interface Running {
  readonly fromMs: number;
  readonly isAll: boolean;
}

export class WithheldBook {
  readonly #running = new Map<number, Running>();
  /** Not written yet. They come from plans in the database, so none are added while it is away for long. */
  #ended: WithheldRow[] = [];

  /** `action`: what holds of the device from now on. */
  change(incarnation: number, action: PlanAction, nowMs: number): void {
    const before = this.#running.get(incarnation);
    const scope = withheldScope(action);
    if (before?.isAll === scope?.isAll) return;
    if (before !== undefined) this.#ended.push({ incarnation, ...before, toMs: nowMs });
    if (scope === undefined) this.#running.delete(incarnation);
    else this.#running.set(incarnation, { ...scope, fromMs: nowMs });
  }

  forget(incarnation: number): void {
    this.#running.delete(incarnation);
  }

  /** What runs is written up to now, again and again: repeating a write changes nothing. */
  unwritten(nowMs: number): WithheldRow[] {
    const running = [...this.#running].map(([incarnation, each]) => ({ incarnation, ...each, toMs: nowMs }));
    return [...this.#ended, ...running];
  }

  written(rows: readonly WithheldRow[]): void {
    const done = new Set(rows);
    this.#ended = this.#ended.filter((row) => !done.has(row));
  }
}

/** Undefined where recordings by a policy go on in either quality. */
function withheldScope(action: PlanAction): Pick<Running, 'isAll'> | undefined {
  if (streamAnswer(action, 'main', 'recorder').ok) return undefined;
  return { isAll: !streamAnswer(action, 'sub', 'recorder').ok };
}
