// A page of the events of a filter, and how many there are.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EventRow, EventSort } from '../../../shared/protocol/api/events.ts';
import { MAX_EXACT_TOTAL } from '../../../shared/protocol/api/lists.ts';
import { userNameKey } from '../accounts/users.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  type ListTotal,
  mapRows,
  numberColumn,
  type PageOfRows,
  type PageRequest,
  type SortValue,
  wideRowsOfPage,
} from '../engine/listPage.ts';
import { type AccessSize, accessesOf, type EventPlan, planEvents, SORTED_EVENTS } from './eventAccess.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';
import { eventRows, toEventRow, type WideEvent } from './eventRows.ts';
import {
  countUpTo,
  type EventKeys,
  type EventSearch,
  foundBy,
  foundInRange,
  type IndexRange,
  keysIn,
  rangesOf,
  sizeOf,
  wordsOf,
} from './eventScans.ts';
import { severityOrder } from './severityOrder.ts';

export interface EventListQuery extends EventFilter, EventScope, PageRequest<EventSort> {
  readonly search: string;
}

/** Undefined when the position is none of such a list. */
export async function pageOfEvents(db: StoreDb, query: EventListQuery): Promise<FoundPage<EventRow> | undefined> {
  const search = await lookUpNames(db, query);
  const plan = await planOf(db, search);
  const [total, page] = await Promise.all([totalOf(db, plan, { search, query }), rowsOf(db, plan, { search, query })]);
  return page && mapRows({ ...total, ...page }, toEventRow);
}

/** More have no index of their own any more. */
const MAX_DRIVERS = 200;

export async function lookUpNames(db: StoreDb, filter: EventFilter & EventScope): Promise<EventSearch> {
  const [drivers, assigneeId] = await Promise.all([driversOf(db, filter), userOf(db, filter.assignee)]);
  return { ...filter, drivers, assigneeId };
}

async function driversOf(db: StoreDb, { search }: EventFilter): Promise<readonly string[]> {
  const words = wordsOf(search);
  if (words.length === 0) return [];
  let found = db.selectFrom('event_driver').select('name').orderBy('name').limit(MAX_DRIVERS);
  for (const word of words) found = found.where(likeSearch('search_key', word));
  return (await found.execute()).map(({ name }) => name);
}

async function userOf(db: StoreDb, username: string | undefined): Promise<number> {
  if (username === undefined || username === '') return 0;
  const named = db.selectFrom('app_user').select('id').where('username_key', '=', userNameKey(username));
  return (await named.executeTakeFirst())?.id ?? 0;
}

export async function planOf(db: StoreDb, search: EventSearch): Promise<EventPlan> {
  const sizes = accessesOf(search).map(async (access): Promise<AccessSize> => {
    const ranges = access === 'device' || access === 'search' ? 0 : rangesOf(access, search).length;
    const isAll = access === 'time' && !isBounded(search);
    return { access, ranges, size: isAll ? Infinity : await sizeOf(db, access, search, SORTED_EVENTS + 1) };
  });
  return planEvents(await Promise.all(sizes));
}

function isBounded({ severities, fromMs, toMs }: EventFilter): boolean {
  return severities !== undefined || fromMs !== undefined || toMs !== undefined;
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

const SORT_COLUMN = { time: 'begin_at_ms', severity: 'severity_order' } as const satisfies Record<EventSort, string>;

function rowsOf(db: StoreDb, plan: EventPlan, wanted: Wanted): Promise<PageOfRows<WideEvent> | undefined> {
  const { query } = wanted;
  const keys = [numberColumn(`found.${SORT_COLUMN[query.sort]}`), numberColumn('found.id')];
  const rows = keysIn(db, plan.page === 'sort' ? foundBy(db, plan.pageAccess, wanted.search) : walked(db, plan, wanted));
  return wideRowsOfPage({ rows, keys }, query, (page) => eventRows(db, page));
}

/** What the page can be made of: the first events of each range of the index, from the page's position on. */
function walked(db: StoreDb, { pageAccess }: EventPlan, { search, query }: Wanted): EventKeys {
  // One index has them all in this order.
  if (pageAccess === 'time' && query.sort === 'time' && search.severities === undefined) {
    return foundBy(db, 'time', search);
  }
  if (pageAccess === 'device' || pageAccess === 'search') throw new Error(`a list cannot be walked by ${pageAccess}`);
  const [first, ...others] = rangesOf(pageAccess, search).map((range) => {
    const events = foundInRange(db, pageAccess, range, search);
    return keysIn(db, firstOf(events, range, query));
  });
  if (first === undefined) return foundBy(db, pageAccess, search);
  return others.reduce((all, each) => all.unionAll(each), first);
}

function firstOf(events: EventKeys, range: IndexRange, { sort, descending, limit, position }: Wanted['query']): EventKeys {
  const isDescending = descending !== (position.at === 'before');
  const direction = isDescending ? 'desc' : 'asc';
  const offset = position.at === 'offset' ? position.offset : 0;
  const ordered = events
    .orderBy('event.severity_order', direction)
    .orderBy('event.id', direction)
    .limit(offset + limit + 1);
  if (position.at === 'offset') return ordered;
  const [value, id] = position.values.map(Number);
  if (value === undefined) return ordered;
  const order = bigint(sort === 'time' ? severityOrder(range.severity, value) : value);
  const sign = sql.raw((isDescending ? '<' : '>') + (position.at === 'from' ? '=' : ''));
  return id === undefined
    ? ordered.where(sql<SqlBool>`event.severity_order ${sign} ${order}`)
    : ordered.where(sql<SqlBool>`(event.severity_order, event.id) ${sign} (${order}, ${bigint(id)})`);
}

function bigint(value: SortValue): RawBuilder<number> {
  return sql`cast(${value} as bigint)`;
}
