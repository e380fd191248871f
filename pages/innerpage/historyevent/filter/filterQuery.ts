// A filter as the calls take it, and back from a saved one. Pure.
import type { EventFilterQuery, SavedFilterQuery } from '../../../../shared/protocol/api/events.ts';
import { formatDay } from '../../../../shared/time/format.ts';
import { filterOf } from './filterValues.ts';
import { FIRST_FILTER, type HistoryFilter } from './historyFilter.ts';
import type { TimeSpan } from './period.ts';

/** What the list calls narrow by: whatever is not set is left out. */
export function queryOfFilter(filter: HistoryFilter, { fromMs, toMs }: TimeSpan): EventFilterQuery {
  return {
    ...(fromMs === undefined ? {} : { from: String(fromMs) }),
    ...(toMs === undefined ? {} : { to: String(toMs) }),
    ...narrowingQuery(filter),
  };
}

/** What is set beside the period. */
export function narrowingQuery(filter: HistoryFilter): EventFilterQuery {
  const { devices, groups, types, severities, statuses, assignee, late, media, lasting, search } = filter;
  return {
    ...(devices.length > 0 && { devices: devices.map(encodeURIComponent).join(',') }),
    ...(groups.length > 0 && { groups: groups.join(',') }),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(severities.length > 0 && { severities: severities.join(',') }),
    ...(statuses.length > 0 && { statuses: statuses.join(',') }),
    ...(assignee !== '' && { assignee }),
    ...(late !== '' && { late }),
    ...(media !== '' && { media }),
    ...(lasting !== '' && { lasting }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}

/** A period stays one: "the last 7 days" are those before the day on which the filter is applied. */
export function savedQueryOf(filter: HistoryFilter, span: TimeSpan): SavedFilterQuery {
  const { period } = filter;
  return period === 'range' ? queryOfFilter(filter, span) : { ...narrowingQuery(filter), period };
}

export function filterOfSaved(query: SavedFilterQuery, zone: string): HistoryFilter {
  const { from, to, period, ...narrowing } = query;
  const filter = filterOf(narrowing);
  if (from === undefined && to === undefined) return { ...filter, period: period ?? FIRST_FILTER.period };
  return {
    ...filter,
    period: 'range',
    fromDay: from === undefined ? '' : formatDay(Number(from), zone),
    // Half-open: the last day is the one that the end closes.
    toDay: to === undefined ? '' : formatDay(Number(to) - 1, zone),
  };
}
