import type { HealthAdvice } from '../../../shared/protocol/health/healthWords.ts';
import type { Judgment } from '../healthSource.ts';
import { figure, limited, stateAbove, worstState } from './figures.ts';

/** A queue that is this many times over its limit grows faster than it is worked through. */
const QUEUE_PROBLEM_TIMES = 4;

export interface QueueFacts {
  readonly waiting: number;
  /** Null: none waits, or it isn't known since when. */
  readonly oldestAgeMs: number | null;
}

export interface QueueLimits {
  readonly mostWaiting: number;
  /** Undefined: what waits there may wait for long, such as for a device that is away. */
  readonly mostAgeMs?: number;
  readonly advice: HealthAdvice;
}

export function judgeQueue(
  { waiting, oldestAgeMs }: QueueFacts,
  { mostWaiting, mostAgeMs, advice }: QueueLimits,
): Judgment {
  const depth = stateAbove(waiting, mostWaiting, QUEUE_PROBLEM_TIMES);
  const age = mostAgeMs === undefined ? 'ok' : stateAbove(oldestAgeMs, mostAgeMs, QUEUE_PROBLEM_TIMES);
  const state = worstState([depth, age]);
  const aged =
    mostAgeMs === undefined
      ? figure(['oldest-age', 'milliseconds'], oldestAgeMs)
      : limited(['oldest-age', 'milliseconds'], oldestAgeMs, ['most', mostAgeMs]);
  const values = [limited(['waiting', 'count'], waiting, ['most', mostWaiting]), aged];
  return { state, values, advice: state === 'ok' ? '' : advice };
}
