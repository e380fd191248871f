import { useMemo, useState } from 'react';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { pageQuery, type QueryChange, setPageQuery, usePageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import type { TimeRange } from '../clock/ranges.ts';
import { spanOf } from './period.ts';
import { type PlaybackView, queryOfView, viewOfQuery } from './playbackAddress.ts';

export interface ShownView {
  readonly view: PlaybackView;
  /** The same object until it is another. */
  readonly span: TimeRange;
  /** Counts the period from now. */
  readonly renew: () => void;
}

/** What the page shows, as its address says it. */
export function usePlaybackView(): ShownView {
  const zone = useUserZone();
  const query = usePageQuery();
  const view = useMemo(() => viewOfQuery(query), [query]);
  const { period, fromMs, toMs } = view;
  const [counted, setCounted] = useState(() => ({ period, nowMs: Date.now() }));
  if (counted.period !== period) setCounted({ period, nowMs: Date.now() });
  const { nowMs } = counted;
  const span = useMemo(() => spanOf({ period, fromMs, toMs }, zone, nowMs), [period, fromMs, toMs, zone, nowMs]);
  return { view, span, renew: () => setCounted({ period, nowMs: Date.now() }) };
}

/** Applies a change to the current address, which may contain more than the calling component knows. */
export function changeView(change: (view: PlaybackView) => PlaybackView, how: QueryChange = 'push'): void {
  setPageQuery(queryOfView(change(viewOfQuery(pageQuery()))), how);
}
