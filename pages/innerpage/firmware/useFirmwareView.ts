import { useMemo } from 'react';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { pageQuery, setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { type FirmwareView, queryOfView, viewOfQuery } from './firmwareAddress.ts';

export interface ShownFirmwareView extends FirmwareView {
  /** Changes a part of what is shown, and the address with it; asks before it leaves unsaved changes. */
  readonly show: (part: Partial<FirmwareView>) => void;
}

/** What the page shows, as its address says it. */
export function useFirmwareView(): ShownFirmwareView {
  const query = usePageQuery();
  return useMemo(() => ({ ...viewOfQuery(query), show }), [query]);
}

function show(part: Partial<FirmwareView>): void {
  leaveAfterAsking(() => setPageQuery(queryOfView({ ...viewOfQuery(pageQuery()), ...part }), 'push'));
}
