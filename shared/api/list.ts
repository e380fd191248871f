// The calls that list records: a page of them, sorted and filtered by the gateway, or all of them as a CSV file.
import { type ApiResult, mapResult, requestFile, requestJson } from './client.ts';
import type { QueryValues } from './query.ts';

export interface ListQuery {
  readonly offset: number;
  /** At most 100. */
  readonly limit: number;
  /** A column's name; the gateway refuses one that it does not know. */
  readonly sort?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly search?: string | undefined;
  /** What else narrows the list, by the names that the call has for it. Empty texts narrow nothing. */
  readonly filters?: QueryValues | undefined;
}

export interface ListPage<Row> {
  /** All that the filter says, not only this page. */
  readonly total: number;
  readonly rows: readonly Row[];
}

/** `readRow` gives undefined for what is no row; such a row is left out. */
export async function requestList<Row>(
  path: string,
  query: ListQuery,
  readRow: (row: unknown) => Row | undefined,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<Row>>> {
  const { offset, limit } = query;
  const result = await requestJson<unknown>(path, { query: { offset, limit, ...chosenRows(query) }, signal });
  return mapResult(result, (data) => readListPage(data, readRow));
}

/** All rows of the filter as the gateway writes them, in the order of the query. */
export async function requestCsv(path: string, query: ListQuery): Promise<ApiResult<Blob>> {
  return requestFile(`${path}/csv`, chosenRows(query));
}

/** Sort, search and filters as they stand in the call's query. */
export function chosenRows({ sort, descending, search, filters = {} }: ListQuery): QueryValues {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return {
    sort,
    descending: sort === undefined || descending !== true ? undefined : 1,
    search: search?.trim() || undefined,
    ...Object.fromEntries(given),
  };
}

/** Total: an answer that is no list is an empty one. */
export function readListPage<Row>(data: unknown, readRow: (row: unknown) => Row | undefined): ListPage<Row> {
  const { total, rows } = (typeof data === 'object' && data !== null ? data : {}) as Readonly<Record<string, unknown>>;
  const read = Array.isArray(rows) ? rows.map(readRow).filter((row): row is Row => row !== undefined) : [];
  return { total: typeof total === 'number' && total >= 0 ? total : read.length, rows: read };
}
