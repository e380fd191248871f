import { useEffect, useMemo, useState } from 'react';
import { endOfDay, formatDay } from '../../../shared/time/format.ts';
import type { HistoryFilter } from './filter/historyFilter.ts';
import { spanOf, type TimeSpan } from './filter/period.ts';

export interface PeriodSpan {
  readonly span: TimeSpan;
  /** The moment that the period is counted from. */
  readonly nowMs: number;
  /** Counts it from now. */
  readonly renew: () => void;
}

/** The period's moments. They stay while it is looked at, but for midnight, when "today" is another day. */
export function usePeriodSpan({ period, fromDay, toDay }: HistoryFilter, zone: string): PeriodSpan {
  const [counted, setCounted] = useState(() => ({ period, nowMs: Date.now() }));
  if (counted.period !== period) setCounted({ period, nowMs: Date.now() });
  const { nowMs } = counted;
  const renew = () => setCounted({ period, nowMs: Date.now() });
  useEffect(() => {
    const midnightMs = endOfDay(formatDay(nowMs, zone), zone) ?? nowMs;
    const timer = setTimeout(() => setCounted((at) => ({ ...at, nowMs: Date.now() })), midnightMs - nowMs);
    return () => clearTimeout(timer);
  }, [nowMs, zone]);
  const span = useMemo(() => spanOf({ period, fromDay, toDay }, zone, nowMs), [period, fromDay, toDay, zone, nowMs]);
  return { span, nowMs, renew };
}
