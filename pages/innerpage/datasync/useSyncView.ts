import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { pageQuery, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { queryOfView, type SyncView, viewOfQuery } from './syncAddress.ts';

export interface ShownSyncView extends SyncView {
  /** Changes a part of what is shown, and the address with it; asks before it leaves unsaved changes. */
  readonly show: (part: Partial<SyncView>) => void;
}

/** What the page shows, as its address says it. */
export function useSyncView(): ShownSyncView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show }), [query]);
}

function show(part: Partial<SyncView>): void {
  leaveAfterAsking(() => setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), 'push'));
}
