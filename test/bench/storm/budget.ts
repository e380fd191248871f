// What a report and a sign-in may take of the gateway's main thread. Method and the reasons: docs/bench.md.
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { PARTS, type Part } from './parts.ts';

/** Microseconds on a machine whose yardstick is `YARDSTICK_US`. */
export const REPORT_BUDGET_US: Readonly<Record<Part, number>> = {
  connections: 85,
  protocol: 80,
  reports: 25,
  'rules and events': 32,
  fences: 17,
  tracks: 27,
  usage: 12,
  board: 18,
  statements: 42,
  garbage: 55,
  other: 65,
};
/** The first one of a terminal, with its registration. */
export const SIGN_IN_BUDGET_US: Readonly<Record<Part, number>> = {
  connections: 115,
  protocol: 100,
  reports: 15,
  'rules and events': 20,
  fences: 5,
  tracks: 5,
  usage: 8,
  board: 16,
  statements: 205,
  garbage: 120,
  other: 175,
};
export const YARDSTICK_US = 4.4;
const ROUNDS = 9;
const TURNS_A_ROUND = 20_000;

export interface Spent {
  readonly what: string;
  readonly count: number;
  readonly timesUs: ReadonlyMap<Part, number>;
  readonly budgetUs: Readonly<Record<Part, number>>;
}

/** Each part for one of what was counted, and whether their sum is within the budget. `yardstickUs`: of this machine. */
export function budgetRow({ what, count, timesUs, budgetUs }: Spent, yardstickUs: number): Row {
  const factor = yardstickUs / YARDSTICK_US;
  const each = PARTS.map((part): [Part, number] => [part, (timesUs.get(part) ?? 0) / count]);
  const sumUs = each.reduce((sum, [, us]) => sum + us, 0);
  const allowedUs = factor * PARTS.reduce((sum, part) => sum + budgetUs[part], 0);
  return {
    'µs each of': what,
    ...Object.fromEntries(each.map(([part, us]) => [part, rounded(us)])),
    sum: rounded(sumUs, 0),
    budget: rounded(allowedUs, 0),
    'within budget': sumUs <= allowedUs ? 'yes' : 'no',
  };
}

/** How fast this machine is now: microseconds that it takes to write and read a record of thirty fields as JSON. */
export function measureYardstick(): number {
  const record = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`field${at}`, at % 3 === 0 ? `${at}` : at / 7]),
  );
  let read = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    for (let turn = 0; turn < TURNS_A_ROUND; turn++) read += Object.keys(JSON.parse(JSON.stringify(record))).length;
    return ((performance.now() - startMs) * 1_000) / TURNS_A_ROUND;
  });
  if (read === 0) throw new Error('nothing was read');
  return median(rounds);
}
