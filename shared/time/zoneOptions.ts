// The zones as a form lists them. Their distances from UTC take longer than all else in a form: they are worked out once for all
// forms, and again where the clocks of a zone may have been changed.
import { zoneLabel, zoneNames } from './zones.ts';

export interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

/** Clocks are put forward and back at full quarters of an hour. */
const QUARTER_MS = 15 * 60_000;

let made: { readonly quarter: number; readonly options: readonly ZoneOption[] } | undefined;

/** By name; the same list until a quarter of an hour is over. */
export function zoneOptions(nowMs: number): readonly ZoneOption[] {
  const quarter = Math.floor(nowMs / QUARTER_MS);
  if (made?.quarter !== quarter) {
    made = { quarter, options: zoneNames().map((zone) => ({ value: zone, label: zoneLabel(zone, nowMs) })) };
  }
  return made.options;
}
