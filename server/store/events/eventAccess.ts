// By which index the events of a filter are read. Pure: what has to be known of the database comes in.
import { SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import type { EventFilter } from './eventFilter.ts';
import { severityOrder } from './severityOrder.ts';

/**
 * By an index: the events of some types, of one assignee and so on. `device`: of the devices that are seen. `word`: of those with
 * the searched text. `time`: of the period and the severities, or all.
 */
export type EventScan = 'device' | 'word' | 'driver' | EventMark;
export type EventMark = 'assignee' | 'lasting' | 'late' | 'media' | 'type' | 'status' | 'time';

/** Finds all events of a filter, by one index or two: what is searched is in the devices or in the drivers' names. */
export type EventAccess = 'device' | 'search' | EventMark;

export function scansOf(access: EventAccess): readonly EventScan[] {
  return access === 'search' ? ['word', 'driver'] : [access];
}

/** A part of what an index has in the order of severity and time. Half open. */
export interface OrderRange {
  /** Of the events in it, as a number. */
  readonly severity: number;
  readonly from: number;
  readonly to: number;
}

const END_OF_TIME_MS = 9_999_999_999_999;

/** One for each severity of the filter: within it the order is that of time. */
export function orderRanges({ severities, fromMs = 0, toMs = END_OF_TIME_MS }: EventFilter): readonly OrderRange[] {
  return SEVERITIES.flatMap((name, severity) => {
    if (severities !== undefined && !severities.includes(name)) return [];
    return [{ severity, from: severityOrder(severity, fromMs), to: severityOrder(severity, toMs) }];
  });
}

/** Those that the filter leaves to choose from. */
export function accessesOf({ search, ...filter }: EventFilter): readonly EventAccess[] {
  const { assignee, isLasting, isLate, hasMedia, types, statuses } = filter;
  return [
    'device',
    ...given('search', search !== ''),
    ...given('assignee', assignee !== undefined && assignee !== ''),
    ...given('lasting', isLasting === true),
    ...given('late', isLate === true),
    ...given('media', hasMedia === true),
    ...given('type', types !== undefined),
    ...given('status', statuses !== undefined),
    'time',
  ];
}

function given(access: EventAccess, isGiven: boolean): readonly EventAccess[] {
  return isGiven ? [access] : [];
}

/**
 * So many events are read and sorted at most. Where every index has more, they are one in a hundred of five million at least, and
 * a page is full soon.
 */
export const SORTED_EVENTS = 50_000;
/** Each is a part of a statement. */
const WALKED_RANGES = 40;

export interface AccessSize {
  readonly access: EventAccess;
  /** Events that it looks at; where there are more than SORTED_EVENTS, one more than that at least. */
  readonly size: number;
  /** Parts of its index in which events are in the order of the list; 0: it cannot be walked. */
  readonly ranges: number;
}

/**
 * `sort`: all that the access finds is read and then sorted. `walk`: it is read in the order of the list until the page is full.
 */
export interface EventPlan {
  readonly page: 'sort' | 'walk';
  readonly pageAccess: EventAccess;
  /** By what the events are counted, whose order does not matter. */
  readonly countAccess: EventAccess;
}

/** `sizes` in the order of `accessesOf`. */
export function planEvents(sizes: readonly AccessSize[]): EventPlan {
  const { access, size } = smallestOf(sizes);
  if (size <= SORTED_EVENTS) return { page: 'sort', pageAccess: access, countAccess: access };
  const walked = smallestOf(sizes.filter(({ ranges }) => ranges > 0 && ranges <= WALKED_RANGES));
  return { page: 'walk', pageAccess: walked.access, countAccess: access };
}

const BY_TIME: AccessSize = { access: 'time', size: Number.POSITIVE_INFINITY, ranges: 1 };

/** The first of the smallest. */
function smallestOf(sizes: readonly AccessSize[]): AccessSize {
  return sizes.reduce((best, each) => (each.size < best.size ? each : best), sizes[0] ?? BY_TIME);
}
