// How many events of a filter began on each day, by severity.
import { sql } from 'kysely';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { bigint } from '../../engine/bigint.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';
import { lookUpNames, planOf } from './eventPlanning.ts';
import { type EventKeys, foundBy } from './eventScans.ts';
import { SEVERITY_STEP } from './severityOrder.ts';

export interface DayCounts {
  readonly fromMs: number;
  readonly counts: Readonly<Record<Severity, number>>;
}

/** Days of the same length, one behind the other. */
interface DayRun {
  readonly fromMs: number;
  readonly dayMs: number;
  readonly days: number;
}

/** All of them are read. */
const ALL_ROWS = Number.MAX_SAFE_INTEGER;
/** A statement looks at the events of so many days at most: others come in between. */
const DAYS_A_STATEMENT = 7;

/** `starts`: of each day, and the end of the last one. Days without events are left out. */
export async function countByDay(
  db: StoreDb,
  filter: EventFilter & EventScope,
  starts: readonly number[],
): Promise<DayCounts[]> {
  // With the severities named, all that is needed stands in an index.
  const search = await lookUpNames(db, { ...filter, severities: filter.severities ?? SEVERITIES });
  const { countAccess } = await planOf(db, search, ALL_ROWS);
  const counted: DayCounts[] = [];
  for (const run of runsOfDays(starts)) {
    const fromMs = Math.max(run.fromMs, filter.fromMs ?? 0);
    const toMs = Math.min(run.fromMs + run.days * run.dayMs, filter.toMs ?? Number.MAX_SAFE_INTEGER);
    if (fromMs < toMs)
      counted.push(...(await countRun(db, foundBy(db, countAccess, { ...search, fromMs, toMs }), run)));
  }
  return counted;
}

/** Pure. Days are shorter or longer where the clocks change. */
function runsOfDays(starts: readonly number[]): readonly DayRun[] {
  const runs: DayRun[] = [];
  for (const [at, fromMs] of starts.slice(0, -1).entries()) {
    const dayMs = (starts[at + 1] ?? fromMs) - fromMs;
    const last = runs.at(-1);
    if (last === undefined || last.dayMs !== dayMs || last.days === DAYS_A_STATEMENT) {
      runs.push({ fromMs, dayMs, days: 1 });
    } else runs[runs.length - 1] = { ...last, days: last.days + 1 };
  }
  return runs;
}

async function countRun(db: StoreDb, events: EventKeys, { fromMs, dayMs }: DayRun): Promise<DayCounts[]> {
  const order = sql.ref('found.severity_order');
  const day = sql<number>`(${order} % ${bigint(SEVERITY_STEP)} - ${bigint(fromMs)}) / ${bigint(dayMs)}`;
  const rows = await db
    .selectFrom(events.as('found'))
    .select([day.as('day'), sql<number>`${order} / ${bigint(SEVERITY_STEP)}`.as('level')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['day', 'level'])
    .orderBy('day')
    .execute();
  const days = new Map<number, Record<Severity, number>>();
  for (const row of rows) {
    const counts = days.get(row.day) ?? { critical: 0, major: 0, minor: 0, info: 0 };
    counts[SEVERITIES[SEVERITIES.length - 1 - row.level] ?? 'info'] = row.count;
    days.set(row.day, counts);
  }
  return [...days].map(([at, counts]) => ({ fromMs: fromMs + at * dayMs, counts }));
}
