// By which index the events of a filter are read. Pure: what has to be known of the database comes in.
import { MAX_EXACT_TOTAL } from '../../../../shared/protocol/api/lists.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { EventFilter } from './eventFilter.ts';
import { severityOrder } from './severityOrder.ts';

/**
 * By an index: the events of some types, of one assignee and so on. `device`: of the devices that are seen. `word`: of those with
 * the searched text. `time`: of the period and the severities, or all.
 */
export type EventScan = 'device' | 'word' | 'driver' | EventMark;
type EventMark = 'assignee' | 'lasting' | 'late' | 'media' | 'type' | 'status' | 'time';

/** Finds all events of a filter, by one index or two: what is searched is in the devices or in the drivers' names. */
export type EventAccess = 'device' | 'search' | EventMark;

export function scansOf(
  access: EventAccess,
  { drivers }: { readonly drivers: readonly string[] },
): readonly EventScan[] {
  if (access !== 'search') return [access];
  return drivers.length === 0 ? ['word'] : ['word', 'driver'];
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

/** Whether a part of the order is asked for, and not all of it. */
export function isBounded({ severities, fromMs, toMs }: EventFilter): boolean {
  return severities !== undefined || fromMs !== undefined || toMs !== undefined;
}

/** Those that the filter leaves to choose from. */
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

/** Events of an access are counted so far; it is read as a whole only where there are no more. */
export const SIZED_EVENTS = 50_000;
/** So much is read as a whole without a second thought: events that an index tells of, some thirty milliseconds. */
const LITTLE_COST = 50_000;
/** So many are looked at to learn how many of them fit. */
export const SAMPLED_EVENTS = 1_000;
/** Each is a part of a statement. */
export const WALKED_RANGES = 40;
/** The last window may have so much more than the page needs. */
const WINDOW_GROWTH = 4;

export interface AccessFigures {
  readonly access: EventAccess;
  /** Events that it looks at; where there are more than SIZED_EVENTS, one more than that at least. */
  readonly size: number;
  /**
   * Parts of its index in which events are in the order of the list, or, where they are in none, places that each window of time is
   * looked up at; 0: it cannot be walked.
   */
  readonly ranges: number;
  /** What an event costs to look at: more where an index does not tell all that the filter asks for. */
  readonly cost: number;
  /** Of the events of a sample; both 0 where there is none. */
  readonly sampled: number;
  readonly fitting: number;
}

/**
 * `sort`: all that the access finds is read and then sorted. `walk`: it is read in the order of the list until the page is full; what
 * is searched is in no such order, and is read window after window.
 */
export interface EventPlan {
  readonly page: 'sort' | 'walk';
  readonly pageAccess: EventAccess;
  /** By what the events are counted, whose order does not matter. */
  readonly countAccess: EventAccess;
}

/** `rows`: to the end of the page, from where it is reached. */
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

/** Whether one of them is read as a whole in no time, whatever fits. */
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

/** Until so many have been found that fit. Without a single one in the sample, there may be some all the same. */
function lookingCost({ cost, sampled, fitting }: AccessFigures, rows: number): number {
  if (sampled === 0) return Number.POSITIVE_INFINITY;
  return (rows * cost * (sampled + 1)) / (fitting + 0.5);
}

/** The first of the cheapest. */
function cheapest(
  accesses: readonly AccessFigures[],
  costOf: (access: AccessFigures) => number,
): { readonly access: EventAccess; readonly cost: number } {
  const costs = accesses.map((each) => ({ access: each.access, cost: costOf(each) }));
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best), BY_TIME);
}

const BY_TIME = { access: 'time', cost: Number.POSITIVE_INFINITY } as const;
