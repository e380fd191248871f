import type { Judgment } from '../healthSource.ts';
import { figure, limited, stateAbove } from './figures.ts';

/** Rows of one table beyond which lists and retention of the embedded database take seconds. */
export const EMBEDDED_ROWS = 100_000_000;
/** Rows of one table that PostgreSQL on one machine can still vacuum in a night. */
export const SERVER_ROWS = 1_000_000_000;
const PROBLEM_TIMES = 4;

export interface TableFacts {
  /** Null: not known. */
  readonly rows: number | null;
  readonly bytes: number | null;
}

export function judgeTable({ rows, bytes }: TableFacts, mostRows: number): Judgment {
  const state = stateAbove(rows, mostRows, PROBLEM_TIMES);
  const values = [limited(['rows', 'count'], rows, ['most', mostRows]), figure(['size', 'bytes'], bytes)];
  return { state, values, advice: state === 'ok' ? '' : 'shorten-retention' };
}
