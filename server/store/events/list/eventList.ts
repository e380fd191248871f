// Events as pages show them: lists of a filter, one with all that is known of it, and how many there were each day.
import type { EventDetail, EventRow, EventSort } from '../../../../shared/protocol/api/events.ts';
import { MAX_EXACT_TOTAL } from '../../../../shared/protocol/api/lists.ts';
import type { StoreDb } from '../../engine/database.ts';
import {
  type FoundPage,
  type ListTotal,
  numberColumn,
  type PageOfRows,
  type PageRequest,
  rowsOfPage,
  rowsOfParts,
  type SortKey,
} from '../../engine/listPage.ts';
import type { EventAccess, EventPlan } from './eventAccess.ts';
import { type EventSearch, unindexed } from './eventChecks.ts';
import { countByDay, type DayCounts } from './eventDays.ts';
import { findEvent, rowsOfEvents } from './eventDetail.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';
import { countUpTo, lookUpNames, planOf } from './eventPlanning.ts';
import { toEventRow, wideEvents } from './eventRows.ts';
import { type EventKey, foundBy, keysIn } from './eventScans.ts';
import { rowsToEndOf, walkedEvents } from './eventWalk.ts';
import { windowsOf } from './eventWindows.ts';

export interface EventListQuery extends EventFilter, EventScope, PageRequest<EventSort> {}

export interface EventListStore {
  /** Undefined when the position is none of such a list. */
  page(query: EventListQuery): Promise<FoundPage<EventRow> | undefined>;
  /** By severity and day. `starts`: of each day, and the end of the last one. Days without events are left out. */
  countByDay(filter: EventFilter & EventScope, starts: readonly number[]): Promise<DayCounts[]>;
  /** Undefined for one that is not in the scope. */
  find(id: number, scope: EventScope): Promise<EventDetail | undefined>;
  /** Whoever sees them; those of devices that are not shown are left out. */
  rowsOf(ids: readonly number[]): Promise<EventRow[]>;
}

/** `reading`: for what may take long. */
export function createEventListStore(db: StoreDb, reading: StoreDb): EventListStore {
  return {
    page: (query) => pageOfEvents(reading, query),
    countByDay: (filter, starts) => countByDay(reading, filter, starts),
    find: (id, scope) => findEvent(db, id, scope),
    rowsOf: (ids) => rowsOfEvents(db, ids),
  };
}

async function pageOfEvents(db: StoreDb, query: EventListQuery): Promise<FoundPage<EventRow> | undefined> {
  const search = await lookUpNames(db, query);
  const plan = await planOf(db, search, rowsToEndOf(query));
  const wanted = { search, query };
  const [total, page] = await Promise.all([totalOf(db, plan, wanted), rowsOf(db, plan, wanted)]);
  return page && { ...total, ...page };
}

interface Wanted {
  readonly search: EventSearch;
  readonly query: PageRequest<EventSort>;
}

async function totalOf(db: StoreDb, { countAccess }: EventPlan, { search, query }: Wanted): Promise<ListTotal> {
  if (query.wantsTotal === false) return { total: 0, hasMoreThanTotal: false };
  const count = await countUpTo(db, foundBy(db, countAccess, search), MAX_EXACT_TOTAL + 1);
  return { total: Math.min(count, MAX_EXACT_TOTAL), hasMoreThanTotal: count > MAX_EXACT_TOTAL };
}

const SORT_COLUMN = { time: 'found.begin_at_ms', severity: 'found.severity_order' } as const;
/** Further on it costs less to count the rows up to the page than to take them all. */
const FAR_ROWS = 2_000;

async function rowsOf(db: StoreDb, plan: EventPlan, wanted: Wanted): Promise<PageOfRows<EventRow> | undefined> {
  const { search, query } = wanted;
  const keys = [numberColumn(SORT_COLUMN[query.sort]), numberColumn('found.id')];
  const page =
    plan.page === 'sort'
      ? await rowsOfPage(
          { rows: keysIn(db, foundBy(db, plan.pageAccess, search)), keys: keys.map(withoutIndex) },
          query,
        )
      : rowsToEndOf(query) > query.limit + FAR_ROWS
        ? await rowsOfPage({ rows: keysIn(db, walkedEvents(db, plan.pageAccess, search, query)), keys }, query)
        : await rowsOfParts(walkedParts(db, plan.pageAccess, wanted), keys, query);
  return page && { ...page, rows: await eventsOf(db, page.rows) };
}

/** What is read as a whole is read by the index that was chosen, and not by one of the order. */
function withoutIndex({ expression, kind }: SortKey): SortKey {
  return { expression: unindexed(expression), kind };
}

async function* walkedParts(db: StoreDb, access: EventAccess, { search, query }: Wanted) {
  for (const { severities, fromMs, toMs } of windowsOf(search, query, await edgeOf(db, query))) {
    const part = { ...search, severities, fromMs, toMs };
    yield { rows: keysIn(db, walkedEvents(db, access, part, query)) };
  }
}

/** When the first event of the list's order began, whoever sees it. */
async function edgeOf(db: StoreDb, { descending, position }: PageRequest): Promise<number> {
  const isDownward = descending !== (position.at === 'before');
  const began = db
    .selectFrom('event')
    .select('begin_at_ms')
    .orderBy('begin_at_ms', isDownward ? 'desc' : 'asc');
  return (await began.limit(1).executeTakeFirst())?.begin_at_ms ?? 0;
}

/** In this order. Their begins tell PostgreSQL the months that they lie in. */
async function eventsOf(db: StoreDb, keys: readonly EventKey[]): Promise<EventRow[]> {
  if (keys.length === 0) return [];
  const begins = keys.map((key) => key.begin_at_ms);
  const rows = await wideEvents(
    db,
    keys.map(({ id }) => id),
  )
    .where('event.begin_at_ms', '>=', Math.min(...begins))
    .where('event.begin_at_ms', '<=', Math.max(...begins))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toEventRow(row)]));
  return keys.flatMap(({ id }) => byId.get(id) ?? []);
}
