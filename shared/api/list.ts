// The calls that list records: a page of them, sorted and filtered by the gateway, or all of them as a CSV file.
import type { TSchema } from 'typebox/type';
import { DOWNLOAD_PATH, DownloadAddress, ListPageOf } from '../protocol/api/lists.ts';
import type { RecordOf } from '../protocol/api/records.ts';
import type { ApiResult } from './client.ts';
import type { QueryValues } from './query.ts';
import { requestRecord } from './requestRecord.ts';

/** Where a page begins: by its number, or at a place that an earlier answer or the user has named. */
export type ListPlace =
  | { readonly offset: number }
  /** Cursors of an earlier answer in the same order. */
  | { readonly after: string }
  | { readonly before: string }
  /** The first row with this value of the sorted column, a moment in milliseconds most often, or the next one. */
  | { readonly start: number };

export interface ListQuery {
  readonly place: ListPlace;
  /** At most 100; some lists give more. */
  readonly limit: number;
  /** A column's name; the gateway refuses one that it does not know. */
  readonly sort?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly search?: string | undefined;
  /** What else narrows the list, by the names that the call has for it. Empty texts narrow nothing. */
  readonly filters?: QueryValues | undefined;
}

export interface ListPage<Row> {
  /** Number of rows that match the filter, not only on this page; if there are more, at least this many. */
  readonly total: number;
  readonly hasMoreThanTotal: boolean;
  readonly rows: readonly Row[];
  /** Cursors: the list goes on behind these rows, or before them. */
  readonly next: string | null;
  readonly previous: string | null;
}

export function requestList<Row extends TSchema>(
  path: string,
  row: Row,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<RecordOf<Row>>>> {
  const { place, limit } = query;
  const parameters = { ...place, limit, ...chosenRows(query) };
  // The page's own type says the same as that of its schema, which the compiler cannot see while the row is open.
  return requestRecord(path, ListPageOf(row), { query: parameters, signal }) as Promise<
    ApiResult<ListPage<RecordOf<Row>>>
  >;
}

/**
 * Where the browser downloads all rows of the query from, in its order. The address works once, and for a minute. Codes of a
 * refusal: those of the list.
 */
export function requestCsvAddress(path: string, query: Omit<ListQuery, 'place' | 'limit'>): Promise<ApiResult<string>> {
  return requestDownloadAddress(`${path}/csv`, chosenRows(query));
}

/** The address that a call gives for a download. */
export async function requestDownloadAddress(path: string, query: QueryValues): Promise<ApiResult<string>> {
  return downloadAddressOf(path, await requestRecord(path, DownloadAddress, { method: 'POST', query }));
}

/** What the answer names, if the browser may go there by itself: only to this site, and to nothing else of it. */
export function downloadAddressOf(path: string, result: ApiResult<{ readonly address: string }>): ApiResult<string> {
  if (!result.ok) return result;
  const { address } = result.value;
  if (address.startsWith(`${DOWNLOAD_PATH}/`)) return { ok: true, value: address };
  return { ok: false, kind: 'http', status: 200, message: `${path}: no address of a download` };
}

/** Sort, search and filters as they stand in the call's query. */
export function chosenRows({
  sort,
  descending,
  search,
  filters = {},
}: Omit<ListQuery, 'place' | 'limit'>): QueryValues {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return {
    sort,
    descending: sort === undefined || descending !== true ? undefined : 1,
    search: search?.trim() || undefined,
    ...Object.fromEntries(given),
  };
}
