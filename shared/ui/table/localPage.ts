// Pages of a list that the page has whole: searched by names that only the page can translate, sorted as its language does.
import type { ListPage, ListPlace, ListQuery } from '../../api/list.ts';

export interface LocalList<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What the search looks in. */
  readonly texts: (row: Row) => readonly string[];
  readonly matches: (row: Row, filters: NonNullable<ListQuery['filters']>) => boolean;
  /** By the names of columns; each order ends with one that tells equal rows apart. */
  readonly orders: Readonly<Record<string, (left: Row, right: Row) => number>>;
}

export function localPage<Row>(list: LocalList<Row>, query: ListQuery): ListPage<Row> {
  const { keyOf, texts, matches, orders } = list;
  const { place, limit, sort = '', descending = false, search = '', filters = {} } = query;
  const words = searchKey(search).split(/\s+/);
  const found = list.rows.filter((row) => matches(row, filters) && holdsAll(texts(row), words));
  const order = orders[sort];
  const sorted = order === undefined ? found : found.sort(descending ? (left, right) => order(right, left) : order);
  const from = startOf(place, { keys: sorted.map(keyOf), limit });
  const rows = sorted.slice(from, from + limit);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    total: sorted.length,
    hasMoreThanTotal: false,
    rows,
    next: last === undefined || from + limit >= sorted.length ? null : keyOf(last),
    previous: first === undefined || from === 0 ? null : keyOf(first),
  };
}

interface Sorted {
  readonly keys: readonly string[];
  readonly limit: number;
}

/** Keys serve as cursors. One whose row is gone leads to the beginning. */
function startOf(place: ListPlace, { keys, limit }: Sorted): number {
  if ('offset' in place) return place.offset;
  if ('after' in place) return keys.indexOf(place.after) + 1;
  if ('before' in place) return Math.max(0, keys.indexOf(place.before) - limit);
  return 0;
}

function holdsAll(texts: readonly string[], words: readonly string[]): boolean {
  const keys = texts.map(searchKey);
  return words.every((word) => keys.some((key) => key.includes(word)));
}

function searchKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
