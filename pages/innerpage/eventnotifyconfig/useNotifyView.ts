import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { pageQuery, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { type NotifyView, queryOfView, viewOfQuery } from './notifyAddress.ts';

export interface ShownNotifyView extends NotifyView {
  /** Changes a part of what is shown, and the address with it; asks before it leaves unsaved changes. */
  readonly show: (part: Partial<NotifyView>) => void;
}

/** What the page shows, as its address says it. */
export function useNotifyView(): ShownNotifyView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show }), [query]);
}

function show(part: Partial<NotifyView>): void {
  leaveAfterAsking(() => setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), 'push'));
}
