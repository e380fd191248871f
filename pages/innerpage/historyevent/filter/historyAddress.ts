// The page's query: what it shows, as an address says it. What is as at first is left out, and what it doesn't know is ignored. Pure.
import { EVENT_SORTS, type EventSort } from '../../../../shared/protocol/api/events.ts';
import { queryText } from '../../../../shared/ui/frame/pageQuery.ts';
import { narrowingQuery } from './filterQuery.ts';
import { filterOf } from './filterValues.ts';
import { FIRST_FILTER, type HistoryFilter, isPeriod } from './historyFilter.ts';

export const VIEWS = ['table', 'map', 'days'] as const;
export type View = (typeof VIEWS)[number];

export interface HistoryView {
  readonly filter: HistoryFilter;
  readonly view: View;
  readonly sort: EventSort;
  readonly isDescending: boolean;
  /** The one that is looked at. */
  readonly eventId: number | undefined;
}

export const FIRST_VIEW: HistoryView = {
  filter: FIRST_FILTER,
  view: 'table',
  sort: 'time',
  isDescending: true,
  eventId: undefined,
};

export function viewOfQuery(query: string): HistoryView {
  const values = Object.fromEntries(new URLSearchParams(query));
  const { event = '', view, sort, order } = values;
  return {
    filter: { ...filterOf(values), ...periodOf(values) },
    view: VIEWS.find((each) => each === view) ?? FIRST_VIEW.view,
    sort: EVENT_SORTS.find((each) => each === sort) ?? FIRST_VIEW.sort,
    isDescending: order !== 'asc',
    eventId: /^[1-9]\d{0,14}$/.test(event) ? Number(event) : undefined,
  };
}

export function queryOfView({ filter, view, sort, isDescending, eventId }: HistoryView): string {
  const values: Record<string, string> = {
    ...periodValues(filter),
    ...narrowingQuery(filter),
    ...(view !== FIRST_VIEW.view && { view }),
    ...(sort !== FIRST_VIEW.sort && { sort }),
    ...(!isDescending && { order: 'asc' }),
    ...(eventId !== undefined && { event: String(eventId) }),
  };
  return queryText(new URLSearchParams(values));
}

type PeriodValues = Pick<HistoryFilter, 'period' | 'fromDay' | 'toDay'>;

/** Days in an address are the range, whatever else it says of the period. */
function periodOf({ period = '', from = '', to = '' }: Readonly<Record<string, string>>): PeriodValues {
  const [fromDay, toDay] = [dayOf(from), dayOf(to)];
  if (fromDay !== '' || toDay !== '') return { period: 'range', fromDay, toDay };
  return { period: isPeriod(period) ? period : FIRST_FILTER.period, fromDay, toDay };
}

function periodValues({ period, fromDay, toDay }: PeriodValues): Record<string, string> {
  if (period !== 'range') return period === FIRST_FILTER.period ? {} : { period };
  if (fromDay === '' && toDay === '') return { period };
  return { ...(fromDay !== '' && { from: fromDay }), ...(toDay !== '' && { to: toDay }) };
}

/** A day of the calendar from 1970 on; '' for anything else. */
function dayOf(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return '';
  const date = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && date.getTime() >= 0;
  return isDay ? text : '';
}
