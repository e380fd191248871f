import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { pageQuery, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { type NetflowView, queryOfView, viewOfQuery } from './netflowAddress.ts';

export interface ShownNetflowView extends NetflowView {
  /** Changes a part of what is shown, and the address with it; asks before it leaves unsaved changes. */
  readonly show: (part: Partial<NetflowView>) => void;
}

/** What the page shows, as its address says it. */
export function useNetflowView(): ShownNetflowView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show }), [query]);
}

function show(part: Partial<NetflowView>): void {
  leaveAfterAsking(() => setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), 'push'));
}
