// The choice of the index by which the events of a filter are read. Pure: facts about the database are passed in.
import { MAX_EXACT_TOTAL } from '../../../../shared/protocol/api/lists.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { EventFilter } from './eventFilter.ts';
import { severityOrder } from './severityOrder.ts';

/**
 * `device`: by the devices that are seen. `word`: by the devices with the searched text. `time`: by the period and the severities, or all
 * events. The others: by the index of a mark, such as the type or the assignee.
 */
export type EventScan = 'device' | 'word' | 'driver' | EventMark;
type EventMark = 'assignee' | 'lasting' | 'late' | 'media' | 'type' | 'status' | 'time';

/** Finds all events of a filter, by one index or two: the searched text is in the devices or in the drivers' names. */
export type EventAccess = 'device' | 'search' | EventMark;

export function scansOf(
  access: EventAccess,
  { drivers }: { readonly drivers: readonly string[] },
): readonly EventScan[] {
  if (access !== 'search') return [access];
  return drivers.length === 0 ? ['word'] : ['word', 'driver'];
}

/** A part of an index that is ordered by severity and time. Half open. */
export interface OrderRange {
  /** Severity of the events in it, as a number. */
  readonly severity: number;
  readonly from: number;
  readonly to: number;
}

const END_OF_TIME_MS = 9_999_999_999_999;

/** One range for each severity of the filter, each ordered by time. */
export function orderRanges({ severities, fromMs = 0, toMs = END_OF_TIME_MS }: EventFilter): readonly OrderRange[] {
  return SEVERITIES.flatMap((name, severity) => {
    if (severities !== undefined && !severities.includes(name)) return [];
    return [{ severity, from: severityOrder(severity, fromMs), to: severityOrder(severity, toMs) }];
  });
}

/** Whether only a part of the order is requested. */
export function isBounded({ severities, fromMs, toMs }: EventFilter): boolean {
  return severities !== undefined || fromMs !== undefined || toMs !== undefined;
}

/** The accesses that the filter allows. */
export function accessesOf({ search, ...filter }: EventFilter): readonly EventAccess[] {
  const { assignee, isLasting, isLate, media, types, statuses } = filter;
  return [
    'device',
    ...given('search', search !== ''),
    ...given('assignee', assignee !== undefined && assignee !== ''),
    ...given('lasting', isLasting === true),
    ...given('late', isLate === true),
    ...given('media', media === 'any' || media === 'video'),
    ...given('type', types !== undefined),
    ...given('status', statuses !== undefined),
    'time',
  ];
}

function given(access: EventAccess, isGiven: boolean): readonly EventAccess[] {
  return isGiven ? [access] : [];
}

/** The events of an access are counted up to this number; it is read as a whole only where there are no more. */
export const SIZED_EVENTS = 50_000;
/**
 * Up to this cost an access is read as a whole without further planning: that many events answered by an index, some thirty milliseconds.
 */
const LITTLE_COST = 50_000;
/** Number of events that are sampled to learn how many of them fit. */
export const SAMPLED_EVENTS = 1_000;
/** Maximum number of ranges, each of which is a part of a statement. */
export const WALKED_RANGES = 40;
/** The last window may have this many times the events that the page needs. */
const WINDOW_GROWTH = 4;

export interface AccessFigures {
  readonly access: EventAccess;
  /** Number of events that it looks at; where there are more than SIZED_EVENTS, at least one more than that. */
  readonly size: number;
  /**
   * Parts of its index in which events are in the order of the list, or, where there are none, places at which each window of time is
   * looked up; 0: it can't be walked.
   */
  readonly ranges: number;
  /** Cost of looking at an event: higher where an index doesn't cover the whole filter. */
  readonly cost: number;
  /** Number of events in a sample, and how many of them fit; both 0 where there is none. */
  readonly sampled: number;
  readonly fitting: number;
}

/**
 * `sort`: everything that the access finds is read and then sorted. `walk`: events are read in the order of the list until the page is
 * full; a search has no such order, and is read window after window.
 */
export interface EventPlan {
  readonly page: 'sort' | 'walk';
  readonly pageAccess: EventAccess;
  /** The access for counting the events; their order doesn't matter. */
  readonly countAccess: EventAccess;
}

/** `rows`: the number of rows from the place where the page is reached to its end. */
export function planEvents(accesses: readonly AccessFigures[], rows: number): EventPlan {
  const sorted = cheapest(accesses, sortingCost);
  const walked = cheapest(accesses, (access) => walkingCost(access, rows));
  const counted = cheapest(accesses, (access) => Math.min(sortingCost(access), lookingCost(access, MAX_EXACT_TOTAL)));
  const isSorted = sorted.cost <= walked.cost;
  return {
    page: isSorted ? 'sort' : 'walk',
    pageAccess: isSorted ? sorted.access : walked.access,
    countAccess: counted.access,
  };
}

/** Whether one of them is quickly read as a whole, however many events fit. */
export function hasLittle(accesses: readonly AccessFigures[]): boolean {
  return accesses.some((access) => sortingCost(access) <= LITTLE_COST);
}

function sortingCost({ size, cost }: AccessFigures): number {
  return size > SIZED_EVENTS ? Number.POSITIVE_INFINITY : size * cost;
}

function walkingCost(access: AccessFigures, rows: number): number {
  const { size, ranges, cost } = access;
  if (ranges === 0 || ranges > WALKED_RANGES) return Number.POSITIVE_INFINITY;
  if (access.access === 'search') return lookingCost(access, rows * WINDOW_GROWTH);
  return Math.min(lookingCost(access, rows), size > SIZED_EVENTS ? Number.POSITIVE_INFINITY : size * cost);
}

/** Cost of looking at events until `rows` of them fit. Even if no event of the sample fits, some others may. */
function lookingCost({ cost, sampled, fitting }: AccessFigures, rows: number): number {
  if (sampled === 0) return Number.POSITIVE_INFINITY;
  return (rows * cost * (sampled + 1)) / (fitting + 0.5);
}

/** The first of the accesses with the lowest cost. */
function cheapest(
  accesses: readonly AccessFigures[],
  costOf: (access: AccessFigures) => number,
): { readonly access: EventAccess; readonly cost: number } {
  const costs = accesses.map((each) => ({ access: each.access, cost: costOf(each) }));
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best), BY_TIME);
}

const BY_TIME = { access: 'time', cost: Number.POSITIVE_INFINITY } as const;
