import { useMemo } from 'react';
import { pageQuery, type QueryChange, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { type HistoryView, queryOfView, viewOfQuery } from './filter/historyAddress.ts';

export interface ShownView extends HistoryView {
  /** Changes a part of what is shown, and the address with it. */
  readonly show: (part: Partial<HistoryView>, change?: QueryChange) => void;
  /** Each letter is no step of the history. */
  readonly showSearch: (text: string) => void;
}

/** What the page shows, as its address says it. */
export function useHistoryView(): ShownView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show, showSearch }), [query]);
}

/** Applies a change to the current address, which may contain more than the calling component knows. */
function show(part: Partial<HistoryView>, change: QueryChange = 'push'): void {
  setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), change);
}

function showSearch(search: string): void {
  const { filter } = viewOfQuery(pageQuery());
  show({ filter: { ...filter, search } }, 'replace');
}
