// When a device is asked for what it has recorded, and for which days. Pure.
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';

const DAY_MS = 86_400_000;
/** At least, so that the calendar knows what is on devices that no rule is for. */
const LEAST_DAYS_BACK = 7;
/** After it has signed in a terminal has much to say. */
const MIN_DELAY_MS = 5_000;
/** After a restart all sign in at once: they are asked over so long, and over less where there are few. */
const SPREAD_A_DEVICE_MS = 500;
const MAX_SPREAD_MS = 5 * 60_000;
/** Recordings of the day before may have been written while the device said what it has. */
const OVERLAP_MS = DAY_MS;

/**
 * After a listing: a clock that was never measured is known by the first report after the sign-in, and one that was set meanwhile by
 * a few of them. Both are written some seconds later.
 */
export const CLOCK_CHECKS_MS: readonly number[] = [30_000, 3 * 60_000];

/** It was asked for days that are not those of its recordings. Less than this lies within the days around them. */
const MISPLACED_MS = 3_600_000;

/** Offsets of the gateway's clock to the device's: as the device was asked, and as they are known now. */
export function isListedByWrongClock(askedOffsetMs: number, offsetMs: number): boolean {
  return Math.abs(offsetMs - askedOffsetMs) > MISPLACED_MS;
}

export interface ListingFacts {
  readonly nowMs: number;
  /** 0: never. */
  readonly listedAtMs: number;
  /** When all of it was last asked for in this run of the gateway; 0: never. */
  readonly wholeAtMs: number;
  readonly onlineSinceMs: number;
  /** Of each rule that is for the device. */
  readonly daysBackOfRules: readonly number[];
}

export type ListingDue = { readonly kind: 'none' } | { readonly kind: 'whole' | 'recent'; readonly span: TimeRange };

/** Once a day all of it, so that what was overwritten of it is noticed; after each absence what is new. */
export function listingDue(facts: ListingFacts): ListingDue {
  const { nowMs, listedAtMs, wholeAtMs, onlineSinceMs, daysBackOfRules } = facts;
  const firstMs = nowMs - Math.max(LEAST_DAYS_BACK, ...daysBackOfRules) * DAY_MS;
  // A clock that was set back must not silence it.
  const isOld = (atMs: number): boolean => atMs > nowMs || nowMs - atMs >= DAY_MS;
  if (listedAtMs === 0 || isOld(listedAtMs) || (wholeAtMs > 0 && isOld(wholeAtMs))) {
    return { kind: 'whole', span: { fromMs: firstMs, toMs: nowMs + DAY_MS } };
  }
  if (onlineSinceMs <= listedAtMs) return { kind: 'none' };
  return { kind: 'recent', span: { fromMs: Math.max(firstMs, listedAtMs - OVERLAP_MS), toMs: nowMs + DAY_MS } };
}

/** Whole days of a span, so that answers stay small. In order. */
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
