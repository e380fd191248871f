// A page of a list in an order, by its number or by a place in the list (keyset paging): pages far from the beginning cost no more than
// near ones, and rows that are added meanwhile shift nothing.
import { type AliasedSelectQueryBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { MAX_EXACT_TOTAL } from '../../../shared/protocol/api/lists.ts';
import type { Schema } from '../schema.ts';
import type { StoreDb } from './database.ts';

/** What a list is ordered by; never null, and numbers are whole: cursors hold no others. */
export interface SortKey {
  readonly expression: RawBuilder<unknown>;
  readonly kind: 'text' | 'number';
}

export type SortValue = string | number;

/** Where a page begins or ends. */
export type ListPosition =
  | { readonly at: 'offset'; readonly offset: number }
  /** Values of the order's keys, or only of the first ones, at a row that is not in the page. */
  | { readonly at: 'after' | 'before'; readonly values: readonly SortValue[] }
  /** The value of the first key, at the first row of the page or before it. */
  | { readonly at: 'from'; readonly values: readonly SortValue[] };

export interface PageRequest<Sort extends string = string> {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly limit: number;
  readonly position: ListPosition;
  /** Left out: the total is counted. Exports don't need it. */
  readonly wantsTotal?: boolean;
}

export interface ListTotal {
  /** At most MAX_EXACT_TOTAL. */
  readonly total: number;
  readonly hasMoreThanTotal: boolean;
}

export interface FoundPage<Row> extends ListTotal {
  readonly rows: readonly Row[];
  /** Values of the last row's keys; undefined at the list's end. */
  readonly next: readonly SortValue[] | undefined;
  /** Values of the first row's keys; undefined when no rows can come before it. */
  readonly previous: readonly SortValue[] | undefined;
}

export const textKey = (expression: RawBuilder<unknown>): SortKey => ({ expression, kind: 'text' });
export const numberKey = (expression: RawBuilder<unknown>): SortKey => ({ expression, kind: 'number' });
export const textColumn = (column: string): SortKey => textKey(sql.ref(column));
export const numberColumn = (column: string): SortKey => numberKey(sql.ref(column));

// The tables of a query are its own matter; rows are what the query selects.
// biome-ignore lint/suspicious/noExplicitAny: Kysely's builder is invariant in its tables, of which nothing is used here
type Rows<Row> = SelectQueryBuilder<Schema, any, Row>;

export interface ListSource<Row> {
  /** The rows of the filter with their columns, in no order. */
  readonly rows: Rows<Row>;
  /** The sort keys, followed by keys that distinguish equal rows. */
  readonly keys: readonly SortKey[];
  /** How many rows of the list come before `rows`, when `rows` is only a part of the list; left out: none. */
  readonly skipped?: number;
}

/** The page's rows and the places around it. Undefined when the position doesn't belong to such a list: it comes from outside. */
export async function rowsOfPage<Row>(
  source: ListSource<Row>,
  request: PageRequest,
): Promise<PageOfRows<Row> | undefined> {
  if (!isPositionOf(request.position, source.keys)) return undefined;
  return pageOf(await orderedRows(source, request).execute(), source.keys, request);
}

/**
 * Like `rowsOfPage`, for rows that come in parts, each after the one before in the order of the list. They are read until the page is full;
 * later parts need not be read.
 */
export async function rowsOfParts<Row>(
  parts: AsyncIterable<Pick<ListSource<Row>, 'rows'>>,
  keys: readonly SortKey[],
  request: PageRequest,
): Promise<PageOfRows<Row> | undefined> {
  if (!isPositionOf(request.position, keys)) return undefined;
  const { limit, position } = request;
  const skipped = position.at === 'offset' ? position.offset : 0;
  const found: KeyedRow<Row>[] = [];
  for await (const { rows } of parts) {
    const left = { ...request, limit: skipped + limit - found.length, ...(skipped > 0 ? { position: FIRST } : {}) };
    found.push(...(await orderedRows({ rows, keys }, left).execute()));
    if (found.length > skipped + limit) break;
  }
  return pageOf(found.slice(skipped), keys, request);
}

const FIRST: ListPosition = { at: 'offset', offset: 0 };

/** Like `rowsOfPage`, for wide rows, which are slow to sort: the source gives ids, and `widen` the rows of the page's ids. */
export async function wideRowsOfPage<Id, Row>(
  source: ListSource<Id>,
  request: PageRequest,
  widen: (page: AliasedSelectQueryBuilder<Id, 'page'>) => Rows<Row>,
): Promise<PageOfRows<Row> | undefined> {
  if (!isPositionOf(request.position, source.keys)) return undefined;
  let rows = widen(orderedRows(source, request).as('page'));
  for (const at of source.keys.keys()) {
    const key = sql.ref(`page.${keyName(at)}`);
    rows = rows.select(key.as(keyName(at)) as never).orderBy(key, directionOf(request)) as typeof rows;
  }
  return pageOf((await rows.execute()) as KeyedRow<Row>[], source.keys, request);
}

/** A row with the values of its keys beside its own columns. */
type KeyedRow<Row> = Row & Record<string, SortValue>;

const keyName = (at: number): string => `sort_key_${at}`;

/** The direction of reading: rows before a place are read backwards. */
const directionOf = ({ descending, position }: PageRequest): 'asc' | 'desc' =>
  descending === (position.at === 'before') ? 'asc' : 'desc';

/** One row more than is shown, which tells whether the list goes on. */
function orderedRows<Row>(source: ListSource<Row>, request: PageRequest): Rows<KeyedRow<Row>> {
  const { rows, keys, skipped = 0 } = source;
  const { limit, position } = request;
  const direction = directionOf(request);
  let query = rows.limit(limit + 1) as Rows<KeyedRow<Row>>;
  for (const [at, { expression }] of keys.entries()) {
    query = query.select(expression.as(keyName(at)) as never).orderBy(expression, direction) as typeof query;
  }
  if (position.at === 'offset') return query.offset(position.offset - skipped);
  return query.where(beyond(keys, position, direction));
}

function pageOf<Row>(
  found: readonly KeyedRow<Row>[],
  keys: readonly SortKey[],
  { limit, position }: PageRequest,
): PageOfRows<Row> {
  const isBackward = position.at === 'before';
  const isCut = found.length > limit;
  const page = found.slice(0, limit);
  if (isBackward) page.reverse();
  const valuesAt = (at: number): readonly SortValue[] | undefined => {
    const row = page.at(at);
    return row === undefined ? undefined : keys.map((_, key) => row[keyName(key)] as SortValue);
  };
  const hasBefore = isBackward ? isCut : position.at !== 'offset' || position.offset > 0;
  // An empty page keeps the requested place: the rows before and after it are reached from there.
  const place = position.at === 'offset' ? undefined : position.values;
  return {
    rows: page,
    next: isBackward || isCut ? (valuesAt(-1) ?? place) : undefined,
    previous: hasBefore ? (valuesAt(0) ?? place) : undefined,
  };
}

export type PageOfRows<Row> = Omit<FoundPage<Row>, keyof ListTotal>;

function isPositionOf(position: ListPosition, keys: readonly SortKey[]): boolean {
  if (position.at === 'offset') return true;
  const { at, values } = position;
  const isOf = (value: SortValue, key: number): boolean =>
    keys[key]?.kind === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';
  const most = at === 'from' ? 1 : keys.length;
  return values.length >= 1 && values.length <= most && values.every(isOf);
}

/** A comparison of rows, which an index with these columns answers. */
function beyond(
  keys: readonly SortKey[],
  { at, values }: Exclude<ListPosition, { at: 'offset' }>,
  direction: 'asc' | 'desc',
): RawBuilder<SqlBool> {
  const columns = keys.slice(0, values.length).map(({ expression }) => expression);
  const given = values.map((value, key) =>
    // A number in a cursor may be larger than the column takes.
    keys[key]?.kind === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`,
  );
  const includes = at === 'from' ? '=' : '';
  const sign = sql.raw((direction === 'asc' ? '>' : '<') + includes);
  return sql<SqlBool>`(${sql.join(columns)}) ${sign} (${sql.join(given)})`;
}

/** Counts the rows of a filter, up to the largest total that is shown exactly. */
export async function totalOf(db: StoreDb, rows: Rows<unknown>): Promise<ListTotal> {
  const some = rows
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(MAX_EXACT_TOTAL + 1)
    .as('some');
  const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('count'));
  const { count } = await counted.executeTakeFirstOrThrow();
  return { total: Math.min(count, MAX_EXACT_TOTAL), hasMoreThanTotal: count > MAX_EXACT_TOTAL };
}

const UNCOUNTED: ListTotal = { total: 0, hasMoreThanTotal: false };

/** The total for a page: all rows of its filter. */
export async function totalFor(db: StoreDb, rows: Rows<unknown>, { wantsTotal }: PageRequest): Promise<ListTotal> {
  return wantsTotal === false ? UNCOUNTED : totalOf(db, rows);
}

/** A page of a list from one statement; undefined when the position doesn't belong to such a list. */
export async function listPage<Row>(
  db: StoreDb,
  source: ListSource<Row>,
  request: PageRequest,
): Promise<FoundPage<Row> | undefined> {
  const [total, page] = await Promise.all([totalFor(db, source.rows, request), rowsOfPage(source, request)]);
  return page === undefined ? undefined : { ...total, ...page };
}

/** The same page with the rows converted for callers. */
export function mapRows<From, To>(
  page: FoundPage<From> | undefined,
  map: (row: From) => To,
): FoundPage<To> | undefined {
  return page === undefined ? undefined : { ...page, rows: page.rows.map(map) };
}
