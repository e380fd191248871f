// Events for pages: lists of a filter, one event with everything known about it, and the numbers of events each day.
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
import type { EventPlan } from './eventAccess.ts';
import { unindexed } from './eventChecks.ts';
import { countByDay, type DayCounts } from './eventDays.ts';
import { findEvent, rowsOfEvents, seenRowsOfEvents } from './eventDetail.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';
import { eventParts, type WantedEvents } from './eventParts.ts';
import { countUpTo, lookUpNames, planOf } from './eventPlanning.ts';
import { type SharedEventRow, toEventRow, wideEvents } from './eventRows.ts';
import { type EventKey, foundBy, keysIn } from './eventScans.ts';
import { rowsToEndOf, walkedEvents } from './eventWalk.ts';

export interface EventListQuery extends EventFilter, EventScope, PageRequest<EventSort> {}

export interface EventListStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: EventListQuery): Promise<FoundPage<EventRow> | undefined>;
  /** Counts by severity and day. `starts`: the start of each day, and the end of the last one. Days without events are left out. */
  countByDay(filter: EventFilter & EventScope, starts: readonly number[]): Promise<DayCounts[]>;
  /** Undefined for an event that is not in the scope. */
  find(id: number, scope: EventScope): Promise<EventDetail | undefined>;
  /** Events independent of the reader; those of devices that are not shown are left out. */
  rowsOf(ids: readonly number[]): Promise<SharedEventRow[]>;
  /** The events among these that are in the scope. */
  seenOf(ids: readonly number[], scope: EventScope): Promise<EventRow[]>;
}

/** `reading`: for slow queries. */
export function createEventListStore(db: StoreDb, reading: StoreDb): EventListStore {
  return {
    page: (query) => pageOfEvents(reading, query),
    countByDay: (filter, starts) => countByDay(reading, filter, starts),
    find: (id, scope) => findEvent(db, id, scope),
    rowsOf: (ids) => rowsOfEvents(db, ids),
    seenOf: (ids, scope) => seenRowsOfEvents(db, ids, scope),
  };
}

async function pageOfEvents(db: StoreDb, query: EventListQuery): Promise<FoundPage<EventRow> | undefined> {
  const search = await lookUpNames(db, query);
  const plan = await planOf(db, search, rowsToEndOf(query));
  const wanted = { search, query };
  const [total, page] = await Promise.all([totalOf(db, plan, wanted), rowsOf(db, plan, wanted)]);
  return page && { ...total, ...page };
}

async function totalOf(db: StoreDb, { countAccess }: EventPlan, { search, query }: WantedEvents): Promise<ListTotal> {
  if (query.wantsTotal === false) return { total: 0, hasMoreThanTotal: false };
  const count = await countUpTo(db, foundBy(db, countAccess, search), MAX_EXACT_TOTAL + 1);
  return { total: Math.min(count, MAX_EXACT_TOTAL), hasMoreThanTotal: count > MAX_EXACT_TOTAL };
}

const SORT_COLUMN = { time: 'found.begin_at_ms', severity: 'found.severity_order' } as const;
/** Beyond this row, counting the rows up to the page costs less than reading them all. */
const FAR_ROWS = 2_000;

async function rowsOf(db: StoreDb, plan: EventPlan, wanted: WantedEvents): Promise<PageOfRows<EventRow> | undefined> {
  const { query } = wanted;
  const keys = [numberColumn(SORT_COLUMN[query.sort]), numberColumn('found.id')];
  const page = await pageOf(db, plan, { wanted, keys });
  return page && { ...page, rows: await eventsOf(db, page.rows, wanted.search.memberGroup) };
}

async function pageOf(
  db: StoreDb,
  { page, pageAccess }: EventPlan,
  { wanted, keys }: { readonly wanted: WantedEvents; readonly keys: readonly SortKey[] },
): Promise<PageOfRows<EventKey> | undefined> {
  const { search, query } = wanted;
  if (page === 'sort') {
    const rows = keysIn(db, foundBy(db, pageAccess, search));
    return rowsOfPage({ rows, keys: keys.map(withoutIndex) }, query);
  }
  if (pageAccess === 'search') return rowsOfParts(eventParts(db, pageAccess, wanted), keys.map(withoutIndex), query);
  const isFar = rowsToEndOf(query) > query.limit + FAR_ROWS;
  if (!isFar) return rowsOfParts(eventParts(db, pageAccess, wanted), keys, query);
  return rowsOfPage({ rows: keysIn(db, walkedEvents(db, pageAccess, search, query)), keys }, query);
}

/** An access that is read as a whole uses the chosen index, and not one of the order. */
function withoutIndex({ expression, kind }: SortKey): SortKey {
  return { expression: unindexed(expression), kind };
}

/** The events in the given order. Their begins tell PostgreSQL which months they lie in. */
async function eventsOf(db: StoreDb, keys: readonly EventKey[], memberGroup: number): Promise<EventRow[]> {
  if (keys.length === 0) return [];
  const begins = keys.map((key) => key.begin_at_ms);
  const rows = await wideEvents(
    db,
    keys.map(({ id }) => id),
  )
    .where('event.begin_at_ms', '>=', Math.min(...begins))
    .where('event.begin_at_ms', '<=', Math.max(...begins))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toEventRow(row, memberGroup)]));
  return keys.flatMap(({ id }) => byId.get(id) ?? []);
}
