// Whether the Node that runs still gets security fixes.
import type { Judgment } from '../healthSource.ts';
import { figure } from './figures.ts';

const DAY_MS = 86_400_000;

/** The last day of each release line, by the Node.js release schedule (schedule.json of nodejs/Release). */
export const END_OF_LIFE: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [21, '2024-06-01'],
  [22, '2027-04-30'],
  [23, '2025-06-01'],
  [24, '2028-04-30'],
  [25, '2026-06-01'],
  [26, '2029-04-30'],
]);
const FIRST_LINE = Math.min(...END_OF_LIFE.keys());

/** `version`: such as 20.19.0. A line that is newer than the table counts as supported, and one that is older as ended. */
export function judgeRuntime(version: string, nowMs: number): Judgment {
  const line = Number.parseInt(version, 10);
  const lastDay = END_OF_LIFE.get(line);
  const lastDayMs = lastDay === undefined ? null : Date.parse(lastDay);
  const values = [figure(['release-line', 'number'], line), figure(['supported-until', 'date'], lastDayMs)];
  const hasEnded = lastDayMs === null ? line < FIRST_LINE : nowMs >= lastDayMs + DAY_MS;
  return hasEnded ? { state: 'warning', values, advice: 'renew-node' } : { state: 'ok', values, advice: '' };
}
