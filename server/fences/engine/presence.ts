// Whether a device is in a fence. GNSS drifts: a vehicle that stands at a border must not enter and leave all day. Pure.
import type { Moment } from './moment.ts';

/** So far beyond the border one point is enough; nearer to it, the next one has to say so too. */
export const CLEAR_METERS = 30;

export interface Presence {
  readonly isInside: boolean;
  /** Of the first point that said so. */
  readonly since: Moment;
  /** The last point said otherwise. */
  readonly pending: Pending | undefined;
}

interface Pending {
  readonly at: Moment;
  /** The point before it was clearly on the other side. */
  readonly wasClear: boolean;
}

export interface Sighting {
  readonly isIn: boolean;
  /** Further than CLEAR_METERS from the border. */
  readonly isClear: boolean;
  /** The point before was. */
  readonly wasClear: boolean;
  readonly at: Moment;
}

/** Itself where nothing changes, which is nearly always. */
export function nextPresence(presence: Presence, { isIn, isClear, wasClear, at }: Sighting): Presence {
  const { isInside, since, pending } = presence;
  if (isIn === isInside) return pending === undefined ? presence : { isInside, since, pending: undefined };
  if (!isClear && pending === undefined) return { isInside, since, pending: { at, wasClear } };
  return { isInside: isIn, since: pending?.at ?? at, pending: undefined };
}

/** Whether a single point near the border was a way through: clearly outside before and after, it was no drift. */
export function wasWayThrough({ isInside, pending }: Presence, { isIn, isClear }: Sighting): boolean {
  return !isInside && !isIn && isClear && pending?.wasClear === true;
}
