// How long a page of 50 events takes among millions of them, on both engines, while positions and events are stored; and how
// many of them are open.
import type { ListPosition } from '../../../server/store/engine/listPage.ts';
import type { EventListQuery } from '../../../server/store/events/list/eventList.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { onBothEngines } from '../bothEngines.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { assigneeName, type Filled, fill, NOW_MS, YEAR_MS } from './fill.ts';
import { startLoad } from './load.ts';

export interface EventBenchOptions {
  readonly events: number;
  /** The folder of initdb and postgres; without it SQLite alone is measured. */
  readonly postgresPrograms: string | undefined;
  readonly onProgress: (text: string) => void;
}

const DAY_MS = 86_400_000;
const REPETITIONS = 5;
const PAGE_ROWS = 50;

type Tables = Readonly<Record<string, readonly Row[]>>;

export async function benchEvents({ events, postgresPrograms, onProgress }: EventBenchOptions): Promise<Tables> {
  const pages: Row[] = [];
  const beside: Row[] = [];
  await onBothEngines(postgresPrograms, async (database, name) => {
    const stores = createStores(database.db, undefined, database.reading);
    onProgress(`events: ${events} are made on ${name}`);
    const filled = await fill(database.db, stores, database.engine === 'postgres', events);
    onProgress(`events: pages on ${name}`);
    const load = startLoad(stores);
    for (const row of await timeRequests(stores, filled)) pages.push({ database: name, events, ...row });
    pages.push({ database: name, events, ...(await timeCounts(stores)) });
    await load.stop();
    beside.push({
      database: name,
      'positions/s': 1_000,
      'events/s': 50,
      'p99 to commit ms': rounded(percentile(load.commitMs, 0.99), 0),
    });
  });
  return { events: pages, 'stored beside pages of events': beside };
}

/** What is asked for, each by time and by severity. */
function requestsOf({ groups }: Filled): readonly (readonly [string, Partial<EventListQuery>])[] {
  const week = { fromMs: NOW_MS - 7 * DAY_MS, toMs: NOW_MS };
  return [
    ['all of 200 groups', {}],
    ['one device', { deviceIds: ['DEV77'] }],
    ['50 devices', { deviceIds: Array.from({ length: 50 }, (_, at) => `DEV${at * 7}`) }],
    ['20 groups', { groups: groups.slice(0, 20) }],
    ['the last week', week],
    ['a type', { types: ['type-3'] }],
    ['critical ones', { severities: ['critical'] }],
    ['new ones', { statuses: ['new'] }],
    ['closed ones', { statuses: ['closed'] }],
    ['those of one assignee', { assignee: assigneeName(3) }],
    ['late ones', { isLate: true }],
    ['those with video or pictures', { media: 'any' }],
    ['those with video', { media: 'video' }],
    ['those that last', { isLasting: true }],
    ['a text of one device', { search: 'bus 4711' }],
    ['a text of no device', { search: 'nothing like it' }],
    ['a driver', { search: 'driver 42' }],
    ['a type of one device in the last week', { types: ['type-3'], deviceIds: ['DEV77'], ...week }],
    ['late, closed, critical', { isLate: true, statuses: ['closed'], severities: ['critical'] }],
  ];
}

async function timeRequests(stores: Stores, filled: Filled): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, part] of requestsOf(filled)) {
    const times: number[] = [];
    let found = 0;
    for (let at = 0; at < REPETITIONS; at++) {
      for (const sort of ['time', 'severity'] as const) {
        const query = { ...ALL, ...part, memberGroup: filled.memberGroup, sort };
        const timed = await timePages(stores, query);
        times.push(...timed.times);
        found = timed.found;
      }
    }
    rows.push({ request: what, found, ...figuresOf(times) });
  }
  return rows;
}

const ALL = { search: '', seesGateway: false, descending: true, limit: PAGE_ROWS } as const;

/** The first page, where it goes on, one in the middle and the end of the list; by time, a jump to a day too, and where it goes on. */
async function timePages(stores: Stores, query: Omit<EventListQuery, 'position'>) {
  const times: number[] = [];
  const load = async (position: ListPosition, descending = true) => {
    const startedMs = performance.now();
    const page = await stores.eventList.page({ ...query, position, descending });
    times.push(performance.now() - startedMs);
    return page;
  };
  const first = await load({ at: 'offset', offset: 0 });
  const found = first?.total ?? 0;
  if (first?.next !== undefined) await load({ at: 'after', values: first.next });
  await load({ at: 'offset', offset: Math.floor(found / 2) });
  if (query.sort === 'time') {
    const jumped = await load({ at: 'from', values: [NOW_MS - YEAR_MS / 2] });
    if (jumped?.next !== undefined) await load({ at: 'after', values: jumped.next });
  }
  const last = await load({ at: 'offset', offset: 0 }, false);
  if (last?.next !== undefined) await load({ at: 'after', values: last.next }, false);
  return { times, found };
}

async function timeCounts(stores: Stores): Promise<Row> {
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < REPETITIONS * 4; at++) {
    const startedMs = performance.now();
    const { counts } = await stores.eventCounts.open();
    times.push(performance.now() - startedMs);
    found = counts.reduce((sum, { count }) => sum + count, 0);
  }
  return { request: 'how many are open, read anew', found, ...figuresOf(times) };
}

function figuresOf(times: readonly number[]) {
  return {
    'p50 ms': rounded(percentile(times, 0.5)),
    'p95 ms': rounded(percentile(times, 0.95)),
    'worst ms': rounded(Math.max(...times)),
  };
}
