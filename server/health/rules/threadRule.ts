import type { Judgment } from '../healthSource.ts';
import { limited, stateAbove } from './figures.ts';

const PROBLEM_TIMES = 4;

/** The longest pause in the last hour. Null: the thread has not been needed. */
export function judgeThread(longestPauseMs: number | null, mostMs: number): Judgment {
  const state = stateAbove(longestPauseMs, mostMs, PROBLEM_TIMES);
  const rounded = longestPauseMs === null ? null : Math.round(longestPauseMs);
  const values = [limited(['longest-pause', 'milliseconds'], rounded, ['most', mostMs])];
  return { state, values, advice: state === 'ok' ? '' : 'check-machine' };
}
