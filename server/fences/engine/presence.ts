// Whether a device is in a fence. GNSS drifts: a vehicle that stands at a border must not enter and leave all day. Pure.
import type { Moment } from './moment.ts';

/** At this distance beyond the border one point is enough; nearer to it, the next one has to confirm it. */
export const CLEAR_METERS = 30;

export interface Presence {
  readonly isInside: boolean;
  /** The moment of the first point on this side. */
  readonly since: Moment;
  /** Set when the last point was on the other side. */
  readonly pending: Pending | undefined;
}

interface Pending {
  readonly at: Moment;
  /** The point before it was clearly on the other side. */
  readonly wasClear: boolean;
}

export interface Sighting {
  readonly isIn: boolean;
  /** The point is further than CLEAR_METERS from the border. */
  readonly isClear: boolean;
  /** The previous point was further than that too. */
  readonly wasClear: boolean;
  readonly at: Moment;
}

/** Gives the same object where nothing changes, which is nearly always. */
export function nextPresence(presence: Presence, { isIn, isClear, wasClear, at }: Sighting): Presence {
  const { isInside, since, pending } = presence;
  if (isIn === isInside) return pending === undefined ? presence : { isInside, since, pending: undefined };
  if (!isClear && pending === undefined) return { isInside, since, pending: { at, wasClear } };
  return { isInside: isIn, since: pending?.at ?? at, pending: undefined };
}

/** Whether a single point near the border was a passage: with clear points outside before and after, it was no drift. */
export function wasWayThrough({ isInside, pending }: Presence, { isIn, isClear }: Sighting): boolean {
  return !isInside && !isIn && isClear && pending?.wasClear === true;
}
