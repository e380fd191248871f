// When a device is asked for its list of recordings, and for which days. Pure.
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';

const DAY_MS = 86_400_000;
/** Minimum, so that the calendar knows the recordings of devices without a rule. */
const LEAST_DAYS_BACK = 7;
/** Delay after the sign-in, when a terminal has much to send. */
const MIN_DELAY_MS = 5_000;
/** After a restart all devices sign in at once: the requests are spread over this time per device, up to the maximum below. */
const SPREAD_A_DEVICE_MS = 500;
const MAX_SPREAD_MS = 5 * 60_000;
/** Recordings of the day before may have been written while the device was sending its list. */
const OVERLAP_MS = DAY_MS;

/**
 * Times after a listing: a clock that was never measured is known from the first report after the sign-in, and one that was set meanwhile
 * from a few of them. Both are written some seconds later.
 */
export const CLOCK_CHECKS_MS: readonly number[] = [30_000, 3 * 60_000];

/** Beyond it the device was asked for the wrong days. A smaller error stays within the days around them. */
const MISPLACED_MS = 3_600_000;

/** Offsets of the gateway's clock to the device's: the one used for the request, and the present one. */
export function isListedByWrongClock(askedOffsetMs: number, offsetMs: number): boolean {
  return Math.abs(offsetMs - askedOffsetMs) > MISPLACED_MS;
}

export interface ListingFacts {
  readonly nowMs: number;
  /** 0: never. */
  readonly listedAtMs: number;
  /** When the whole list was last requested in this run of the gateway; 0: never. */
  readonly wholeAtMs: number;
  readonly onlineSinceMs: number;
  /** Days back of each rule that covers the device. */
  readonly daysBackOfRules: readonly number[];
}

export type ListingDue = { readonly kind: 'none' } | { readonly kind: 'whole' | 'recent'; readonly span: TimeRange };

/** The whole list once a day, to notice what was overwritten; after each absence the new part. */
export function listingDue(facts: ListingFacts): ListingDue {
  const { nowMs, listedAtMs, wholeAtMs, onlineSinceMs, daysBackOfRules } = facts;
  const firstMs = nowMs - Math.max(LEAST_DAYS_BACK, ...daysBackOfRules) * DAY_MS;
  // A clock that was set back must not stop the requests.
  const isOld = (atMs: number): boolean => atMs > nowMs || nowMs - atMs >= DAY_MS;
  if (listedAtMs === 0 || isOld(listedAtMs) || (wholeAtMs > 0 && isOld(wholeAtMs))) {
    return { kind: 'whole', span: { fromMs: firstMs, toMs: nowMs + DAY_MS } };
  }
  if (onlineSinceMs <= listedAtMs) return { kind: 'none' };
  return { kind: 'recent', span: { fromMs: Math.max(firstMs, listedAtMs - OVERLAP_MS), toMs: nowMs + DAY_MS } };
}

/** The whole days of a span, in order, so that answers stay small. */
export function daysOf({ fromMs, toMs }: TimeRange): TimeRange[] {
  const days: TimeRange[] = [];
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) {
    days.push({ fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS });
  }
  return days;
}

/** How long after its sign-in a device is asked. `random`: from 0 to below 1. */
export function listingDelayMs(devicesOnline: number, random: number): number {
  return MIN_DELAY_MS + random * Math.min(MAX_SPREAD_MS, devicesOnline * SPREAD_A_DEVICE_MS);
}
