import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../../shared/ui/form/unsaved.ts';
import { setPageQuery, usePageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { type ConfigView, queryOfView, viewOfQuery } from './configAddress.ts';

/** What the page shows, as its address says it; asks before it leaves unsaved changes. */
export function useConfigView(): readonly [view: ConfigView, show: (view: ConfigView) => void] {
  const query = usePageQuery();
  const view = useMemo(() => viewOfQuery(query), [query]);
  return [view, show];
}

function show(view: ConfigView): void {
  leaveAfterAsking(() => setPageQuery(queryOfView(view), 'push'));
}
