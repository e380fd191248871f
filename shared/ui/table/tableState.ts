// What a table shows and what it asks for. No React here.
import type { ApiFailure } from '../../api/client.ts';
import type { ListPage, ListQuery } from '../../api/list.ts';
import type { QueryValues } from '../../api/query.ts';

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

export interface TableChoice {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly sorting: Sorting | undefined;
  readonly search: string;
  readonly filters: QueryValues;
  /** What the list is of, which narrows nothing: a group that was chosen beside the table. */
  readonly scope?: QueryValues;
}

export interface TableState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly isLoading: boolean;
  /** Whether an answer has come for what is asked now; until then `rows` are those of before. */
  readonly isKnown: boolean;
  /** The last request failed; `rows` are what was known before. */
  readonly failure: ApiFailure | undefined;
}

export type TableEvent<Row> =
  /** `isSame`: the same question again, so that the rows stay what they are until the answer. */
  | { readonly type: 'ask'; readonly isSame: boolean }
  | { readonly type: 'answer'; readonly page: ListPage<Row> }
  | { readonly type: 'fail'; readonly failure: ApiFailure };

export function emptyTable<Row>(): TableState<Row> {
  return { rows: [], total: 0, isLoading: true, isKnown: false, failure: undefined };
}

export function nextTable<Row>(state: TableState<Row>, event: TableEvent<Row>): TableState<Row> {
  switch (event.type) {
    case 'ask':
      // A reload in the background is not shown: nothing flickers while others edit.
      if (event.isSame) return state.failure === undefined ? state : { ...state, isLoading: true };
      return { ...state, isLoading: true, isKnown: false };
    case 'answer':
      return { ...event.page, isLoading: false, isKnown: true, failure: undefined };
    case 'fail':
      return { ...state, isLoading: false, failure: event.failure };
  }
}

export function listQueryOf({ page, pageSize, sorting, search, filters, scope }: TableChoice): ListQuery {
  return {
    offset: page * pageSize,
    limit: pageSize,
    sort: sorting?.column,
    descending: sorting?.descending,
    search,
    filters: { ...scope, ...filters },
  };
}

/** The page to show when this one has no rows left: the last that has. Undefined when the page is right. */
export function pageInstead(page: number, pageSize: number, total: number): number | undefined {
  const last = Math.max(0, Math.ceil(total / pageSize) - 1);
  return page > last ? last : undefined;
}

/** Whether anything narrows the list: then an empty one says nothing of what there is. */
export function isNarrowed({ search, filters }: Pick<TableChoice, 'search' | 'filters'>): boolean {
  return (
    search.trim() !== '' ||
    Object.values(filters).some((value) => value !== undefined && value !== null && value !== '')
  );
}
