import type { ApiFailure, ApiResult } from '../../api/client.ts';
import type { ListPage, ListQuery } from '../../api/list.ts';
import { type AskOptions, useAnswer } from './useAnswer.ts';

export interface ListOptions<Row> extends Pick<AskOptions<never>, 'changedBy' | 'everyMs'> {
  /** The list's name among those of the page. */
  readonly name: string;
  readonly load: (query: ListQuery, signal: AbortSignal) => Promise<ApiResult<ListPage<Row>>>;
  readonly query: ListQuery;
}

export interface LoadedPage<Row> {
  /** Rows of an earlier query until those of this one are there. */
  readonly page: ListPage<Row>;
  readonly isLoading: boolean;
  /** Whether the page answers this query. */
  readonly isKnown: boolean;
  /** The last call failed; the page is what was known before. */
  readonly failure: ApiFailure | undefined;
  /** Asks for the same page again. */
  readonly reload: () => void;
}

const NO_PAGE: ListPage<never> = { rows: [], total: 0, hasMoreThanTotal: false, next: null, previous: null };

/** A page of a list of records. */
export function useList<Row>({ name, load, query, changedBy, everyMs }: ListOptions<Row>): LoadedPage<Row> {
  const key = ['list', name, query];
  const answer = useAnswer({ key, load: (signal) => load(query, signal), changedBy, everyMs }, true);
  const { value: page = NO_PAGE, failure, isLoading, isKnown, reload } = answer;
  return { page, failure, isLoading, isKnown, reload };
}
