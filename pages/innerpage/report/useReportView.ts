import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { pageQuery, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { queryOfView, type ReportView, viewOfQuery } from './reportAddress.ts';

export interface ShownReportView extends ReportView {
  /** Changes a part of what is shown, and the address with it; asks before it leaves unsaved changes. */
  readonly show: (part: Partial<ReportView>) => void;
}

/** What the page shows, as its address says it. */
export function useReportView(): ShownReportView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show }), [query]);
}

function show(part: Partial<ReportView>): void {
  leaveAfterAsking(() => setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), 'push'));
}
